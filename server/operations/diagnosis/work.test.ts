// When an idle worker is a fault: not while it is paused on purpose, and not before it had time to begin.
import { expect, test } from 'vitest'
import { judgeWork, judgeWorker, opportunityOf, type StuckWork } from './work.ts'

type Opportunity = Parameters<typeof judgeWorker>[1]

const LONG = { ableSeconds: 3600 }

test.each<[string, number, Opportunity, string, RegExp, RegExp?]>([
  ['a worker works', 20, { role: 'all', ...LONG }, 'ok', /was done 20 s ago$/],
  ['clocks that differ a little', -3, { role: 'all', ...LONG }, 'ok', /was done 0 s ago$/],
  ['a worker is idle', 300, { role: 'all', ...LONG }, 'fail', /no worker has worked for 300 s/, /\/readyz/],
  ['no worker runs', 300, { role: 'api', ...LONG }, 'fail', /no worker has worked for 300 s/, /ROLE=worker/],
  ['idle after two minutes', 900, { role: 'all', ableSeconds: 120 }, 'fail', /for 900 s/, /its log/],
  [
    'the service has just started after a pause',
    86_400,
    { role: 'all', ableSeconds: 5.4 },
    'ok',
    /last done 86400 s ago, and has been possible again for 5 s: it begins within 120 s$/,
  ],
  ['a worker has just started', 900, { role: 'worker', ableSeconds: 119 }, 'ok', /possible again for 119 s/],
  [
    'a process for requests has just started',
    900,
    { role: 'api', ableSeconds: 5 },
    'warn',
    /last done 900 s ago/,
    /ROLE=worker; if one was started just now, run this again in 120 s$/,
  ],
  [
    'the disk is full',
    86_400,
    { role: 'all', ableSeconds: undefined },
    'ok',
    /rests while the disk is full, and goes on by itself$/,
  ],
  [
    'the disk is full, and the worker is elsewhere',
    900,
    { role: 'api', ableSeconds: undefined },
    'ok',
    /rests while the disk is full/,
  ],
  [
    'the service is stopped',
    900,
    undefined,
    'warn',
    /and no service runs on this machine$/,
    /^start a process/,
  ],
  ['it was stopped seconds ago', 20, undefined, 'ok', /was done 20 s ago$/],
])('%s', (_, idleSeconds, opportunity, status, detail, advice) => {
  const finding = judgeWorker(idleSeconds, opportunity)
  expect(finding).toMatchObject({ check: 'worker', status, detail: expect.stringMatching(detail) })
  expect(finding.advice ?? '').toMatch(advice ?? /^$/)
})

test.each<[string, boolean, number, string]>([
  ['for an embedded database whose service is stopped', true, 5, 'warn'],
  ['for an external database, whose workers run elsewhere', false, 86_400, 'fail'],
  ['for an external database that has just started', false, 5, 'warn'],
])('without a service on this machine, no worker %s', (_, isEmbedded, databaseSeconds, status) => {
  const opportunity = opportunityOf(undefined, { isEmbedded, databaseSeconds, isFull: false })
  expect(judgeWorker(3 * 86_400, opportunity)).toMatchObject({ status })
})

test('a worker on another machine also rests while the disk of the database is full', () => {
  const place = { isEmbedded: false, databaseSeconds: 86_400, isFull: true }
  expect(judgeWorker(900, opportunityOf(undefined, place))).toMatchObject({ status: 'ok' })
})

const LATE: StuckWork = {
  ...{ idleSeconds: 20, databaseSeconds: 3600, unpurged: 0, failedJobs: 0, waitingJobs: [], lateEvents: 3 },
  ...{ lateEndpoints: 0, lateRuns: 0, unfoldedSeconds: 0, strayEvents: 0, failingMailboxes: 0 },
  oldestTransactionSeconds: 1,
}

test.each<[string, Opportunity, RegExp]>([
  [
    'is late while a worker runs',
    { role: 'all', ...LONG },
    /^start a process .* restart it if it logs nothing$/,
  ],
  ['is late while no service runs', undefined, /^start a process/],
  ['is late on a full disk', { role: 'all', ableSeconds: undefined }, /^free space .* goes on by itself$/],
  ['can just begin', { role: 'all', ableSeconds: 5 }, /^background work .* run this again in 120 s$/],
  ['can begin elsewhere', { role: 'api', ableSeconds: 5 }, /^start a process .* run this again in 120 s$/],
])('the advice for work that %s', (_, opportunity, advice) => {
  expect(judgeWork(LATE, opportunity)).toMatchObject([
    { check: 'work', status: 'warn', advice: expect.stringMatching(advice) },
  ])
})
