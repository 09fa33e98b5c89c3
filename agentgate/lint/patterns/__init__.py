"""What is found in the code around prompts: one rule, or one part of a rule, a module."""
