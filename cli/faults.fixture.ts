// Provokes real faults, and checks that `rapport doctor` and `rapport status` report each with its next step.

import { expect } from 'vitest'
import {
  addressOf,
  type ServiceProcess,
  startService,
  type WhenOver,
} from '../server/entry/service-process.fixture.ts'
import { afterFile } from '../server/test/after-file.ts'
import { MAIN, type Outcome, run, runInside } from './cli.fixture.ts'

/** The finding that both commands must print. */
export interface Named {
  check: string
  /** Undefined if it depends on how long the service has run. */
  status?: 'warn' | 'fail'
  detail: RegExp
  step: RegExp
}

export interface RealFault extends Named {
  fault: string
  /** Causes the fault; undefined if the fault exists already. */
  begin?(): Promise<unknown>
  end?(): Promise<unknown>
  /** The fault takes seconds to find, so both commands run at the same time and share one examination. */
  isSlow?: true
}

type Shell = Record<string, string>

const FINDING = /^(ok|warn|fail) +(\S.*?) {2,}(\S.*)(?:\n {21}(\S.*))?$/gm

const findingsIn = ({ stdout }: Pick<Outcome, 'stdout'>) =>
  [...stdout.matchAll(FINDING)].map(([, status, check, detail, step = '']) => ({
    ...{ status, check, detail, step },
  }))

export const failuresIn = (outcome: Pick<Outcome, 'stdout'>) =>
  findingsIn(outcome).filter(({ status }) => status === 'fail')

export function expectNamed(outcome: Outcome, { check, status, detail, step }: Named): void {
  expect(findingsIn(outcome)).toContainEqual({
    ...{ check, status: status ?? expect.stringMatching(/^(warn|fail)$/) },
    ...{ detail: expect.stringMatching(detail), step: expect.stringMatching(step) },
  })
}

const askBoth = async (shell: Shell, isSlow: boolean): Promise<[Outcome, Outcome]> =>
  isSlow
    ? Promise.all([runInside(['doctor'], shell), run([MAIN, 'status'], shell)])
    : [await runInside(['doctor'], shell), await runInside(['status'], shell)]

/**
 * Expects that both commands report the fault with its next step, and that their exit codes show whether a check fails.
 * @param isServed whether a service responds
 */
export async function expectBothName(
  shell: Shell,
  named: Named & Pick<RealFault, 'isSlow'>,
  { isServed }: { isServed: boolean },
): Promise<void> {
  const [doctor, status] = await askBoth(shell, named.isSlow ?? false)
  expectNamed(doctor, named)
  expectNamed(status, named)
  const isFailed = named.status === undefined ? failuresIn(doctor).length > 0 : named.status === 'fail'
  expect({ doctor: doctor.code, status: status.code }).toEqual({
    doctor: isFailed ? 1 : 0,
    status: isFailed || !isServed ? 1 : 0,
  })
}

/** Provokes a fault of a running service, which is healthy before and afterwards. */
export async function provoke(shell: Shell, { begin, end, ...named }: RealFault): Promise<void> {
  try {
    await begin?.()
    await expectBothName(shell, named, { isServed: true })
  } finally {
    await end?.()
  }
}

export async function startShared(
  env: Record<string, string>,
  whenOver: WhenOver = afterFile,
): Promise<ServiceProcess> {
  const service = startService({ PORT: '0', RAPPORT_DEMO: 'off', ...env }, undefined, whenOver)
  await addressOf(service)
  return service
}
