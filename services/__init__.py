"""The processes around the engine. Begin with `cli.py`: one command, `dealer`, with a subcommand for each of them."""
