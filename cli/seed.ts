// rapport seed: creates generated records.
import { type Command, InvalidArgumentError } from 'commander'
import type { SeedOutcome } from '../server/demo/seed.ts'
import { enter, type OrgOptions, orgCommand } from './organization.ts'
import { JSON_OUTPUT, print } from './output.ts'
import { showProgress } from './progress.ts'
import { type CliSession, withStoppableSession } from './session.ts'

interface SeedOptions extends OrgOptions {
  object: string
  records: number
  seed: number
}

function wholeNumber(text: string): number {
  const value = Number(text)
  if (Number.isSafeInteger(value) && value >= 1) return value
  throw new InvalidArgumentError('It must be a whole number, at least 1')
}

async function run(session: CliSession, options: SeedOptions): Promise<SeedOutcome> {
  const { seedRecords } = await import('../server/demo/seed.ts')
  const { ctx, caller } = await enter(session, options.org)
  const progress = showProgress('Seeding', options.records)
  try {
    return await seedRecords(ctx, caller, {
      objectRef: options.object,
      records: options.records,
      seed: options.seed,
      signal: session.signal,
      onProgress: (done) => progress.update(done, done),
    })
  } finally {
    progress.stop()
  }
}

async function seed(options: SeedOptions): Promise<void> {
  const startedAt = performance.now()
  const { created, failed, firstError, stopped } = await withStoppableSession((session) =>
    run(session, options),
  )
  if (stopped !== undefined)
    throw new Error(
      `Seeding ended early (${stopped instanceof Error ? stopped.message : stopped}): at least ${created} records were created and stay`,
    )
  const seconds = Math.round(performance.now() - startedAt) / 1000
  const perSecond = Math.round(created / seconds)
  print(options, { created, failed, seconds, perSecond }, () => [
    `${options.object}: ${created} created, ${failed} failed, in ${seconds} s (${perSecond}/s)`,
    ...(firstError === undefined ? [] : [`The first failure: ${firstError}`]),
  ])
  if (failed > 0) process.exitCode = 1
}

const HELP = `
Records are generated from the types of the object's attributes: unique values are unique, references name
existing records, email addresses end in example.com. The same --seed generates the same records in an empty object.

Examples:
  $ rapport seed --org acme --object companies --records 1000
  $ rapport seed --org acme --object people --records 1000000 --seed 7 --json`

export const seedCommand = (): Command =>
  orgCommand('seed', 'Create generated records')
    .requiredOption('--object <id or slug>', 'the object, such as people')
    .requiredOption('--records <number>', 'how many', wholeNumber)
    .option('--seed <number>', 'a different number generates different records', wholeNumber, 1)
    .option(...JSON_OUTPUT)
    .addHelpText('after', HELP)
    .action(seed)
