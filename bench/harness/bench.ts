// A bench, its options, and helpers that all benches share.
import type { Row } from './figures.ts'
import type { Lab } from './lab.ts'

export interface BenchOptions {
  /** Benches with a fixed length of measurement use a shorter one. */
  isQuick: boolean
  /** Length of one measured round. */
  seconds: number
  /** Measured rounds of each side; medians are reported. */
  rounds: number
  connections: number
  /** Size of the data set of benches over many records. */
  records: number
  /** Records of other organizations in the data set. */
  background: number
  /** Measure only cases whose name contains one of these texts; empty: all. */
  only: readonly string[]
  /** Folder for CPU profiles of the Node processes that are measured; undefined: none are taken. */
  profile: string | undefined
}

export interface Bench {
  name: string
  /** One line for the list of benches. */
  summary: string
  run(lab: Lab, options: BenchOptions): Promise<Row[]>
}

/** The command line is invalid. The message is one line that says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The cases that --only selects. @throws UsageError when it selects none */
export function chosen<Case extends { name: string }>(
  cases: readonly Case[],
  only: readonly string[],
): Case[] {
  const left = cases.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)))
  if (left.length === 0)
    throw new UsageError(`--only leaves no case of: ${cases.map(({ name }) => name).join(', ')}`)
  return left
}

/** Flags that make a Node process write a CPU profile; none without --profile. */
export const profileFlags = ({ profile }: Pick<BenchOptions, 'profile'>, name: string): string[] =>
  profile === undefined
    ? []
    : ['--cpu-prof', `--cpu-prof-dir=${profile}`, `--cpu-prof-name=${name}.cpuprofile`]
