"""From PubMed to candidate rows: fetching records, reading their XML, cutting abstracts into rows."""
