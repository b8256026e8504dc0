"""The guided tour: a few minutes on a sample, beside the work and never in its way."""
