// Runs one bench in a lab that is cleared away afterwards: after success, failure and Ctrl-C alike.
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

/** @returns a promise that a signal rejects, and how to stop listening */
function interruption(): { interrupted: Promise<never>; stopListening: () => void } {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => undefined)
  const onSignal = (signal: string) => reject(new Interrupted(signal))
  for (const signal of SIGNALS) process.once(signal, onSignal)
  const stopListening = () => {
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
  return { interrupted: promise, stopListening }
}

export async function runBench(
  bench: Bench,
  { options, json }: Pick<BenchCommand, 'options' | 'json'>,
  tell: (line: string) => void,
): Promise<Row[]> {
  const { interrupted, stopListening } = interruption()
  if (options.profile !== undefined) await mkdir(options.profile, { recursive: true })
  const lab = await openLab(tell)
  try {
    const rows = await Promise.race([bench.run(lab, options), interrupted])
    if (json !== undefined) await writeFile(json, `${JSON.stringify(rows, null, 2)}\n`)
    return rows
  } finally {
    await lab.close()
    stopListening()
  }
}
