"""The runtime: what other people's programs import. Standard library only; `agentgate` re-exports its names."""
