// Rounds of uploads and downloads that alternate between the sides, with the memory that each side uses.
import { setTimeout as delay } from 'node:timers/promises'
import type { BenchOptions } from '../harness/bench.ts'
import { ask, type Child } from '../harness/child.ts'
import { compare, type Row } from '../harness/figures.ts'
import type { Lab } from '../harness/lab.ts'
import { processMs, residentMb } from '../harness/usage.ts'
import type { TransferResult, Transfers } from './load-process.ts'

export const FILE_BYTES = 5_000_000
/** Number of files of each round: 1.28 GB in total. */
export const FILES = 256
const SAMPLE_MS = 50
const TARGET = 0.8

export interface Side {
  name: string
  url: string
  pid: number
  /** Upload and download paths for one round. */
  uploads(): Promise<{ put: string; get: string }[]>
  /** Makes room on the disk after a round. */
  clear(): Promise<void>
}

interface Measured {
  mbPerSecond: number
  /** CPU time of the server for one file. */
  cpuMs: number
  peakMb: number
}

interface Round {
  put: Measured
  get: Measured
}

/** Measures the peak memory of a process in MB until `stop` is called. */
function watchMemory(pid: number): { stop(): Promise<number> } {
  const stopped = new AbortController()
  const watch = async () => {
    let peak = 0
    do {
      peak = Math.max(peak, await residentMb(pid))
      await delay(SAMPLE_MS, undefined, { signal: stopped.signal }).catch(() => undefined)
    } while (!stopped.signal.aborted)
    return peak
  }
  const watched = watch()
  return {
    stop() {
      stopped.abort()
      return watched
    },
  }
}

async function transfer(load: Child, { pid }: Side, transfers: Transfers): Promise<Measured> {
  const memory = watchMemory(pid)
  const before = await processMs(pid)
  const result = await ask<TransferResult>(load, transfers)
  const cpuMs = ((await processMs(pid)) - before) / transfers.paths.length
  const peakMb = await memory.stop()
  return { mbPerSecond: (transfers.paths.length * FILE_BYTES) / 1e6 / result.seconds, cpuMs, peakMb }
}

async function measureRound(load: Child, side: Side, connections: number): Promise<Round> {
  const uploads = await side.uploads()
  const shared = { url: side.url, connections, bytes: FILE_BYTES }
  const put = await transfer(load, side, { ...shared, method: 'PUT', paths: uploads.map((one) => one.put) })
  const get = await transfer(load, side, { ...shared, method: 'GET', paths: uploads.map((one) => one.get) })
  await side.clear()
  return { put, get }
}

const tell = ({ mbPerSecond, cpuMs, peakMb }: Measured) =>
  `${mbPerSecond.toFixed(0)} MB/s, ${cpuMs.toFixed(1)} ms CPU a file, at most ${peakMb.toFixed(0)} MB of memory`

export type SideName = 'limit' | 'flushing' | 'service'
type Rounds = Record<SideName, Round[]>

export async function measureRounds(
  lab: Lab,
  load: Child,
  sides: Record<SideName, Side>,
  { rounds, connections }: BenchOptions,
): Promise<Rounds> {
  const results: Rounds = { limit: [], flushing: [], service: [] }
  for (let number = 0; number <= rounds; number++)
    for (const name of ['limit', 'flushing', 'service'] as const) {
      const round = await measureRound(load, sides[name], connections)
      lab.tell(
        `round ${number || 'to warm up'}, ${sides[name].name}: in ${tell(round.put)}; out ${tell(round.get)}`,
      )
      if (number > 0) results[name].push(round)
    }
  return results
}

export function rowsOf({ limit, flushing, service }: Rounds): Row[] {
  const of = (rounds: readonly Round[], way: keyof Round, what: keyof Measured) =>
    rounds.map((round) => round[way][what])
  const row = (name: string, unit: string, [way, what]: [keyof Round, keyof Measured], target?: number) =>
    compare({
      case: name,
      unit,
      ours: of(service, way, what),
      limit: of(limit, way, what),
      ...(target !== undefined && { target }),
    })
  const first = (way: keyof Round) => service.slice(0, 1).map((round) => round[way].peakMb)
  const last = (way: keyof Round) => service.slice(-1).map((round) => round[way].peakMb)
  const growth = (name: string, way: keyof Round) =>
    compare({ case: name, unit: 'MB of Node, last round, limit: first', ours: last(way), limit: first(way) })
  return [
    row('upload', 'MB/s', ['put', 'mbPerSecond'], TARGET),
    compare({
      case: 'upload, limit that flushes',
      unit: 'MB/s',
      ours: of(service, 'put', 'mbPerSecond'),
      limit: of(flushing, 'put', 'mbPerSecond'),
    }),
    row('upload', 'CPU ms of Node per file', ['put', 'cpuMs']),
    row('upload', 'MB of Node at most', ['put', 'peakMb']),
    growth('upload', 'put'),
    row('download', 'MB/s', ['get', 'mbPerSecond'], TARGET),
    row('download', 'CPU ms of Node per file', ['get', 'cpuMs']),
    row('download', 'MB of Node at most', ['get', 'peakMb']),
    growth('download', 'get'),
  ]
}
