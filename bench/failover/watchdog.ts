// The watchdog of one machine. Patroni writes to a pipe in place of a device. When it stops writing, the machine is
// reset. A real watchdog is part of the kernel or the board.
import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { Socket } from 'node:net'

export interface Watchdog {
  /** Stops the timer, because the machine was switched off. */
  disarm(): void
  close(): void
}

/** @param device path of the pipe @param onExpired resets the machine */
export function openWatchdog(device: string, onExpired: () => void): Watchdog {
  execFileSync('mkfifo', ['-m', '666', device])
  // Opened for writing too: otherwise the pipe ends when its first writer closes it.
  const pipe = openSync(device, constants.O_RDWR | constants.O_NONBLOCK)
  const socket = new Socket({ fd: pipe, readable: true, writable: false })
  let timeoutMs = 60_000
  let timer: NodeJS.Timeout | undefined
  const disarm = () => clearTimeout(timer)
  const arm = () => {
    disarm()
    timer = setTimeout(onExpired, timeoutMs)
  }
  socket.setEncoding('latin1').on('data', (text: string) => {
    const seconds = text.match(/Ctimeout=(\d+)\n/)?.[1]
    if (seconds !== undefined) timeoutMs = Number(seconds) * 1000
    if (text.endsWith('V')) disarm()
    else arm()
  })
  return {
    disarm,
    close() {
      disarm()
      socket.destroy()
      try {
        closeSync(pipe)
      } catch {
        // The socket has already closed the pipe.
      }
    },
  }
}
