"""Jupyter kernels that start as forks of a process that has imported what chapters import."""

from __future__ import annotations

import os
import subprocess
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.manager import AsyncKernelManager
from jupyter_client.provisioning.local_provisioner import LocalProvisioner

from metacog.book.forked import FORKSERVER, start


def kernel_options() -> dict[str, Any]:
    """What papermill's engine is told of kernels; nothing where no process forks for us."""
    return {"kernel_manager_class": ForkedKernelManager} if os.environ.get(FORKSERVER) else {}


class ForkingProvisioner(LocalProvisioner):
    """Starts a kernel as a fork, and as usual where that is refused."""

    async def launch_kernel(self, cmd: list[str], **kwargs: Any) -> KernelConnectionInfo:
        """Start the kernel in a session of its own; the information on its ports."""
        forked = start(
            [*cmd, f"--IPKernelApp.parent_handle={os.getpid()}"],  # the environment was read at import
            env=kwargs.get("env"),
            cwd=kwargs.get("cwd"),
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        if forked is None:
            return await super().launch_kernel(cmd, **kwargs)
        self.process = forked  # type: ignore[assignment]
        self.pid = self.pgid = forked.pid
        return self.connection_info


class ForkedKernelManager(AsyncKernelManager):
    """A manager whose kernels are forks."""

    async def _async_pre_start_kernel(self, **options: Any) -> tuple[list[str], dict[str, Any]]:
        if self.provisioner is None:
            self.provisioner = ForkingProvisioner(
                kernel_id=self.kernel_id or "chapter", kernel_spec=self.kernel_spec, parent=self
            )
        return await super()._async_pre_start_kernel(**options)

    pre_start_kernel = _async_pre_start_kernel  # type: ignore[assignment]
