"""Adapters for the SDKs of model providers: a stream of a model is written to a run, and a conversation becomes a request.

``ag_ui_native.adapters.openai`` and ``ag_ui_native.adapters.anthropic`` have the functions.
"""
