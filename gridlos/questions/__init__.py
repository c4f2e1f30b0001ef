"""The questions that can be asked about a scene; the one place where maps, kernels and rules meet."""
