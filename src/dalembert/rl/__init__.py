"""Environments for reinforcement learning, made from models; Gymnasium is loaded when asked for."""

from dalembert.rl.episode_formulas import action
from dalembert.rl.make import environment, vector_environment
from dalembert.rl.registered import register

__all__ = ["action", "environment", "register", "vector_environment"]
