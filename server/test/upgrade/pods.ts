// Processes of the service behind a balancer that checks /readyz of each process, as a Service of Kubernetes does.
import { setTimeout as delay } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { addressOf, type ServiceProcess, startService } from '../../entry/service-process.fixture.ts'

const PROBE_EVERY_MS = 100
/** The message if the answer of the database took longer than a probe waits. */
const LATE = /^Not ready: The database does not respond[^;]*$/

export interface Pod {
  service: ServiceProcess
  address: string
}

interface Probe {
  status: number
  body: { conditions?: { check: string; detail: string }[]; message?: string }
}

export interface Balancer {
  /** The address of a ready pod, in turn. */
  next(): string
  add(pod: Pod): Promise<void>
  /** Stops sending requests to a pod, and ends it. @returns its exit code */
  remove(pod: Pod): Promise<number | null>
  /** Messages of pods that were not ready while they got requests, unless the cause was a busy machine. */
  notReady: string[]
}

export async function probe({ address }: Pod): Promise<Probe> {
  const response = await fetch(`${address}/readyz`)
  return { status: response.status, body: (await response.json()) as Probe['body'] }
}

export async function startPod(env: Record<string, string>, command?: readonly string[]): Promise<Pod> {
  const service = startService(env, command)
  return { service, address: await addressOf(service) }
}

/** The balancer works until the test ends. */
export function createBalancer(): Balancer {
  const pods = new Set<Pod>()
  const notReady: string[] = []
  const over = new AbortController()
  onTestFinished(() => over.abort())
  let turn = 0
  const watch = async (pod: Pod) => {
    while (pods.has(pod) && !over.signal.aborted) {
      const { status, body } = await probe(pod)
      if (status !== 200 && pods.has(pod) && !LATE.test(body.message ?? ''))
        notReady.push(`${status} ${body.message}`)
      await delay(PROBE_EVERY_MS)
    }
  }
  return {
    notReady,
    next() {
      const all = [...pods]
      return all[turn++ % all.length]?.address ?? ''
    },
    async add(pod) {
      while ((await probe(pod)).status !== 200) await delay(PROBE_EVERY_MS)
      pods.add(pod)
      void watch(pod).catch((error) => notReady.push(String(error)))
    },
    async remove(pod) {
      pods.delete(pod)
      pod.service.child.kill('SIGTERM')
      return pod.service.exited
    },
  }
}
