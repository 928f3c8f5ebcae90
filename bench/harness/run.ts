// Runs one bench in a lab. The lab is cleaned up after success, failure and Ctrl-C.
import type { EventEmitter } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import type { BenchCommand } from './arguments.ts'
import type { Bench } from './bench.ts'
import type { Row } from './figures.ts'
import { openLab } from './lab.ts'

/** The bench received a signal to stop. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
/** Errors of work that a bench started and does not await. They end this bench; later benches still run. */
const ERRORS = ['unhandledRejection', 'uncaughtException'] as const

/** @returns a promise that a signal or an unhandled error rejects, and a function that removes the listeners */
function interruption(source: EventEmitter): { interrupted: Promise<never>; stopListening: () => void } {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => undefined)
  const onSignal = (signal: string) => reject(new Interrupted(signal))
  for (const signal of SIGNALS) source.once(signal, onSignal)
  for (const event of ERRORS) source.on(event, reject)
  const stopListening = () => {
    for (const signal of SIGNALS) source.off(signal, onSignal)
    for (const event of ERRORS) source.off(event, reject)
  }
  return { interrupted: promise, stopListening }
}

/** The bench took longer than it may. */
class OutOfTime extends Error {
  override readonly name = 'OutOfTime'
}

/** @returns a promise that is rejected after `seconds`, if given, and a function that cancels the timer */
function timeLimit(seconds: number | undefined): { expired: Promise<never>; cancel: () => void } {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => undefined)
  const message = `It was stopped after ${seconds?.toFixed(0)} seconds`
  const timer =
    seconds === undefined ? undefined : setTimeout(() => reject(new OutOfTime(message)), seconds * 1000)
  return { expired: promise, cancel: () => clearTimeout(timer) }
}

export interface RunOptions extends Pick<BenchCommand, 'options' | 'json'> {
  /** The bench is stopped after this time. */
  secondsMax?: number
  /** Emits signals and unhandled errors; the process by default. */
  source?: EventEmitter
}

/** @throws Interrupted, OutOfTime, and what the bench throws */
export async function runBench(
  bench: Bench,
  { options, json, secondsMax, source = process }: RunOptions,
  tell: (line: string) => void,
): Promise<Row[]> {
  const { interrupted, stopListening } = interruption(source)
  const { expired, cancel } = timeLimit(secondsMax)
  if (options.profile !== undefined) await mkdir(options.profile, { recursive: true })
  const lab = await openLab(tell)
  try {
    const rows = await Promise.race([bench.run(lab, options), interrupted, expired])
    if (json !== undefined) await writeFile(json, `${JSON.stringify(rows, null, 2)}\n`)
    return rows
  } finally {
    cancel()
    await lab.close()
    stopListening()
  }
}
