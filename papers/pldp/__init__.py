"""The study of the PLDP paper."""
