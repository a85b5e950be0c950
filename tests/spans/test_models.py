"""The registry holds what the paper and its code say, each under its name."""

from __future__ import annotations

import json

from corr2cause.spans.models import registry
from corr2cause.spans.names import DESCRIBED, RELEASED
from tests.cli.running import call


def test_greedy_decoding_and_lengths():
    """Appendix B: temperature 0, prompts of 2,048 tokens, answers of 32 and 256; the code adds a penalty of 1.1."""
    for profile in (DESCRIBED, RELEASED):
        found = registry(profile).decoding
        assert (found.temperature, found.max_input_tokens) == (0, 2048)
        assert found.max_new_tokens == {"detection": 32, "extraction": 256}
    assert registry(DESCRIBED).decoding.extra == {}
    assert registry(RELEASED).decoding.extra == {"repetition_penalty": 1.1}
    assert registry(RELEASED).decoding.padding_side == "left"


def test_where_text_and_code_differ():
    text, code = ({one.name: one for one in registry(profile).prompted} for profile in (DESCRIBED, RELEASED))
    assert set(text) == set(code)
    assert len(text) == 9
    assert [name for name in text if text[name].id != code[name].id and text[name].id] == ["Mistral-7B"]
    assert [name for name in text if not text[name].id] == ["DeepSeek-7B", "DeepSeek-R1-70B", "Mixtral-8x7B"]
    four_bit = [[name for name, one in side.items() if one.quantisation == "nf4"] for side in (text, code)]
    assert four_bit[0] == ["DeepSeek-R1-32B"]
    assert four_bit[1] == ["DeepSeek-R1-32B", "Llama-3.3-70B", "DeepSeek-R1-70B", "Mixtral-8x7B"]
    assert {one.batch_size for name, one in text.items() if name != "DeepSeek-R1-32B"} == {(4, 4)}
    assert [code[name].batch_size[0] for name in four_bit[1]] == [4, 2, 2, 4]
    assert text["DeepSeek-R1-32B"].batch_size == (1, 1)
    assert all(one.id.count("/") == 1 for one in code.values())


def test_four_encoders():
    assert [one.name for one in registry(DESCRIBED).encoders] == ["BERT", "SciBERT", "PubMedBERT", "BioBERT"]


def test_the_command_shows_them_and_the_options_of_ask():
    done = call("spans", "models", "--profile", "released")
    assert done.returncode == 0
    assert "mistralai/Mistral-7B-Instruct-v0.2" in done.stdout
    assert "--temperature 0 --max-tokens 256 --extra '{\"repetition_penalty\": 1.1}'" in done.stdout
    found = json.loads(call("spans", "models", "--json").stdout)
    assert found["decoding"]["max_new_tokens"]["detection"] == 32
    assert found["prompted"][2]["id"] == "mistralai/Mistral-7B-Instruct-v0.3"
