// The processes of a service, as the first of them sees them.
import type { ChildState, Replacement } from '../processes/children.ts'
import type { Finding } from './finding.ts'

/** A process that is heard every second is late by then. */
const SILENT_WARN_SECONDS = 10
const REPLACED_WARN = 3

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

const replaced = ({ name, reason, count }: Replacement): Finding => ({
  ...{ check, status: 'warn' },
  detail: `${name} was replaced ${count} times since the service started: it ${reason}`,
  advice:
    'look in the log for the line before "is replaced"; without one it was killed from outside (dmesg shows whether memory ran out)',
})

/** Of a service that is one process there are none. */
export function judgeProcesses(
  states: readonly ChildState[],
  replacements: readonly Replacement[],
): Finding[] {
  const isSilent = ({ silentSeconds = 0 }: ChildState) => silentSeconds >= SILENT_WARN_SECONDS
  const found = [
    ...states.filter(isSilent).map(silent),
    ...states.filter((one) => !one.isReady && !isSilent(one)).map(starting),
    ...replacements.filter(({ count }) => count >= REPLACED_WARN).map(replaced),
  ]
  if (found.length > 0) return found
  const names = states.map(({ name }) => name).join(', ')
  return [
    { check, status: 'ok', detail: states.length === 0 ? 'the service is one process' : `${names} run` },
  ]
}
