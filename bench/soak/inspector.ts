// The heap of a Node process after a full garbage collection, as its inspector reports it.
import { once } from 'node:events'
import type { Child } from '../harness/child.ts'

interface Answer {
  id?: number
  result?: { usedSize?: number }
  error?: { message: string }
}

export interface Inspector {
  /** Megabytes in use after a full garbage collection. */
  heapMb(): Promise<number>
  close(): void
}

/** Opens the inspector of a process that was started with --inspect-port=127.0.0.1:0. @returns its address */
export function inspectorAddress({ process, failed }: Child): Promise<string> {
  const found = new Promise<string>((resolve) => {
    let text = ''
    process.stderr?.on('data', (piece: string) => {
      text += piece
      const [, address] = /Debugger listening on (ws:\S+)/.exec(text) ?? []
      if (address !== undefined) resolve(address)
    })
  })
  process.kill('SIGUSR1')
  return Promise.race([found, failed])
}

export async function openInspector(address: string): Promise<Inspector> {
  const socket = new WebSocket(address)
  await once(socket, 'open')
  const waiting = new Map<number, (answer: Answer) => void>()
  socket.addEventListener('message', ({ data }) => {
    const answer: Answer = JSON.parse(String(data))
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer)
  })
  let last = 0
  const ask = async (method: string): Promise<Answer['result']> => {
    const id = ++last
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve))
    socket.send(JSON.stringify({ id, method, params: {} }))
    const { error, result } = await answered
    waiting.delete(id)
    if (error) throw new Error(`${method}: ${error.message}`)
    return result
  }
  return {
    async heapMb() {
      await ask('HeapProfiler.collectGarbage')
      const usage = await ask('Runtime.getHeapUsage')
      return (usage?.usedSize ?? 0) / 2 ** 20
    },
    close: () => socket.close(),
  }
}
