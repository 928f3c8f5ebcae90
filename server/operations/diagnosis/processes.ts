// The processes of a service, as its first process sees them.
import type { Finding } from './finding.ts'

/** How often a process was replaced since the first process started. */
export interface ProcessReplacement {
  name: string
  reason: 'ended' | 'hung'
  count: number
  /** The time of the last replacement, in ISO 8601. */
  lastAt: string
}

/** A process as an operator sees it. */
export interface ChildState {
  name: string
  pid: number | undefined
  isReady: boolean
  /** How long ago its last message came, in seconds; undefined: none came yet. */
  silentSeconds: number | undefined
}

/** A running process sends a message every second, so after this time it is late. */
const SILENT_WARN_SECONDS = 10
const REPLACED_WARN = 3
/** How long replacements are reported after the last one. */
const REPLACED_WARN_MS = 24 * 60 * 60 * 1000

const check = 'processes'

const silent = ({ name, pid, silentSeconds }: ChildState): Finding => ({
  ...{ check, status: 'fail' },
  detail: `${name} (process ${pid}) has not responded for ${silentSeconds} s`,
  advice:
    'it is killed and replaced after 30 s; if that repeats, look in the log for what it did, and for too little memory or processor time',
})

const starting = ({ name }: ChildState): Finding => ({
  ...{ check, status: 'warn', detail: `${name} has not started yet` },
  advice: 'see the log: it waits for the database, or ends again and again',
})

const replaced = ({ name, reason, count, lastAt }: ProcessReplacement): Finding => ({
  ...{ check, status: 'warn' },
  detail: `${name} was replaced ${count} times since the service started, the last time at ${lastAt}: it ${reason}`,
  advice:
    'look in the log for the line before "is replaced"; without one it was killed from outside (dmesg shows whether memory ran out)',
})

/** Nothing for a service with a single process. @param now in milliseconds */
export function judgeProcesses(
  states: readonly ChildState[],
  replacements: readonly ProcessReplacement[],
  now: number,
): Finding[] {
  const isRepeated = ({ count, lastAt }: ProcessReplacement) =>
    count >= REPLACED_WARN && now - Date.parse(lastAt) < REPLACED_WARN_MS
  const isSilent = ({ silentSeconds = 0 }: ChildState) => silentSeconds >= SILENT_WARN_SECONDS
  const found = [
    ...states.filter(isSilent).map(silent),
    ...states.filter((one) => !one.isReady && !isSilent(one)).map(starting),
    ...replacements.filter(isRepeated).map(replaced),
  ]
  if (found.length > 0) return found
  const names = states.map(({ name }) => name).join(', ')
  return [
    { check, status: 'ok', detail: states.length === 0 ? 'the service is one process' : `${names} run` },
  ]
}
