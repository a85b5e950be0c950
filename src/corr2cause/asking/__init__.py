"""Ask language models: prompts in, answers out, through any server of the OpenAI kind; knows nothing of our rows."""
