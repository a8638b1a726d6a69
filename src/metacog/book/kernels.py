"""Jupyter kernels that start as forks of a process that has imported what chapters import."""

from __future__ import annotations

import os
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.manager import AsyncKernelManager
from jupyter_client.provisioning.local_provisioner import LocalProvisioner

from metacog.book import pool


def kernel_options() -> dict[str, Any]:
    """What papermill's engine is told of kernels; nothing where no server forks for us."""
    return {"kernel_manager_class": ForkedKernelManager} if pool.forked else {}


class ForkingProvisioner(LocalProvisioner):
    """Starts a kernel as another process of the server that this one is a fork of."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        started = pool.KernelProcess(cmd, kwargs["env"], kwargs.get("cwd") or os.getcwd())
        self.process = started  # type: ignore[assignment]
        self.pid = self.pgid = started.pid
        return self.connection_info


class ForkedKernelManager(AsyncKernelManager):
    async def _async_pre_start_kernel(self, **options: Any) -> tuple[list[str], dict[str, Any]]:
        if self.provisioner is None:
            self.provisioner = ForkingProvisioner(
                kernel_id=self.kernel_id or "chapter", kernel_spec=self.kernel_spec, parent=self
            )
        return await super()._async_pre_start_kernel(**options)

    pre_start_kernel = _async_pre_start_kernel  # type: ignore[assignment]
