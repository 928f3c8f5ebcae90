// rapport jobs rows, file: the result of each row of a job, and the file of an export.
import { type Command, Option } from 'commander'
import { JOB_RESULT_STATUSES, type JobResultStatus } from '../contract/job-results.ts'
import type { Caller } from '../server/base/caller.ts'
import { service } from './job-state.ts'
import { EXAMPLE_ID } from './object-command.ts'
import { enter, type OrgOptions, orgCommand } from './organization.ts'
import { print } from './output.ts'
import { type Write, writeToFile, writeToStdout } from './output-file.ts'
import { type CliSession, withSession } from './session.ts'

interface FileOptions extends OrgOptions {
  output?: string
}

interface RowsOptions extends FileOptions {
  status?: JobResultStatus
}

type Pieces = AsyncIterable<string | Uint8Array>
type Read = (session: CliSession, caller: Caller) => Promise<Pieces>

async function copy(pieces: Pieces, { signal }: CliSession, write: Write): Promise<void> {
  for await (const piece of pieces) {
    signal.throwIfAborted()
    await write(piece)
  }
}

const readFileOf =
  (id: string): Read =>
  async ({ ctx }, caller) => {
    const { jobFile } = await service()
    return (await jobFile(ctx, caller, id)).bytes
  }

/** @throws AppError not_found, wrong_state */
export const saveFile = (session: CliSession, caller: Caller, id: string, path: string): Promise<void> =>
  writeToFile(path, async (write) => copy(await readFileOf(id)(session, caller), session, write))

async function send(options: FileOptions, id: string, read: Read): Promise<void> {
  const { org, output } = options
  const sendTo = (write: Write) =>
    withSession(async (opened) => {
      const { session, caller } = await enter(opened, org)
      await copy(await read(session, caller), session, write)
    })
  if (output === undefined && options.json) throw new Error('--json requires a file: set --output')
  if (output === undefined) return writeToStdout(sendTo)
  await writeToFile(output, sendTo)
  print(options, { id, file: output }, () => [`Written to ${output}`])
}

const rows = (id: string, options: RowsOptions): Promise<void> =>
  send(options, id, async ({ ctx }, caller) => {
    const { jobResults } = await service()
    return jobResults(ctx, caller, { id, status: options.status })
  })

const file = (id: string, options: FileOptions): Promise<void> => send(options, id, readFileOf(id))

const command = (name: string, description: string) =>
  orgCommand(name, description)
    .argument('<job id>', 'the job')
    .option('--output <file>', 'where to write (default: standard output)')
    .option('--json', 'print one JSON document about the file')

const rowsCommand = () =>
  command('rows', 'Write what became of each row, as lines of JSON')
    .addOption(new Option('--status <status>', 'only these rows').choices(JOB_RESULT_STATUSES))
    .addHelpText(
      'after',
      `
In the order of the file; of a job that is running, the rows until now.

Examples:
  $ rapport jobs rows ${EXAMPLE_ID} --org acme --status failed
  $ rapport jobs rows ${EXAMPLE_ID} --org acme --output rows.ndjson`,
    )
    .action(rows)

const fileCommand = () =>
  command('file', 'Write the file of an export that is completed')
    .addHelpText(
      'after',
      `\nExamples:\n  $ rapport jobs file ${EXAMPLE_ID} --org acme --output people.ndjson`,
    )
    .action(file)

export const fileCommands = (): Command[] => [rowsCommand(), fileCommand()]
