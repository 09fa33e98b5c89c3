"""Consent that holds: the policy, single use, the person's own terminal, and the ledger.

Loaded when a consent is asked on an agent's run, or by the command line; never by a person's run.
"""
