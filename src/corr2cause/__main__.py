"""`python -m corr2cause` is `corr2cause`."""

from corr2cause.cli import main

if __name__ == "__main__":
    main(prog_name="corr2cause")
