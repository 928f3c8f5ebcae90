// rapport export: writes all records of an object as CSV or as lines of JSON.
import { type Command, Option } from 'commander'
import { BYTE_ORDER_MARK } from '../contract/csv-text.ts'
import type { ExportFormat } from '../server/records/export/service.ts'
import { FIELDS } from './object-command.ts'
import { enter, type OrgOptions, orgCommand } from './organization.ts'
import { print } from './output.ts'
import { type Write, writeToFile, writeToStdout } from './output-file.ts'
import { showProgress } from './progress.ts'
import { type CliSession, withStoppableSession } from './session.ts'

interface ExportOptions extends OrgOptions {
  object: string
  format: ExportFormat
  fields?: string[]
  output?: string
}

async function run(
  session: CliSession,
  { org, object, format, fields }: ExportOptions,
  write: Write,
): Promise<number> {
  const { exportRecords } = await import('../server/records/export/service.ts')
  const { ctx, caller } = await enter(session, org)
  await ctx.replicas?.start()
  let progress: ReturnType<typeof showProgress> | undefined
  try {
    return await exportRecords(ctx, caller, {
      objectRef: object,
      format,
      fields,
      write,
      signal: session.signal,
      onProgress: ({ records, total }) => {
        progress ??= showProgress('Exporting', total)
        progress.update(records, records)
      },
    })
  } finally {
    progress?.stop()
  }
}

async function exportToFile(options: ExportOptions & { output: string }): Promise<void> {
  const { output, format } = options
  const startedAt = performance.now()
  const records = await withStoppableSession((session) =>
    writeToFile(output, async (write) => {
      if (format === 'csv') await write(BYTE_ORDER_MARK)
      return run(session, options, write)
    }),
  )
  const seconds = Math.round(performance.now() - startedAt) / 1000
  print(options, { file: output, records, seconds }, () => [`${output}: ${records} records, in ${seconds} s`])
}

const exportToStdout = (options: ExportOptions): Promise<void> =>
  writeToStdout((write) => withStoppableSession((session) => run(session, options, write)))

function exportObject(options: ExportOptions): Promise<void> {
  const { output } = options
  if (output !== undefined) return exportToFile({ ...options, output })
  if (!options.json) return exportToStdout(options)
  throw new Error('--json requires a file: set --output')
}

const HELP = `
The records are those of one moment, oldest first, however long it takes. In CSV an apostrophe precedes
what spreadsheets would run as a formula, and import removes it; NDJSON holds exactly what records hold.
A CSV file begins with a byte order mark, for spreadsheets; standard output has none.

Examples:
  $ rapport export --org acme --object companies --format csv --output companies.csv
  $ rapport export --org acme --object people --format csv --fields email,name,company.domain --output people.csv
  $ rapport export --org acme --object people --format ndjson | gzip > people.ndjson.gz`

export const exportCommand = (): Command =>
  orgCommand('export', 'Write all records of an object as CSV or as lines of JSON')
    .requiredOption('--object <id or slug>', 'the object, such as companies')
    .addOption(
      new Option('--format <format>', 'csv or ndjson').choices(['csv', 'ndjson']).makeOptionMandatory(),
    )
    .option(...FIELDS)
    .option('--output <file>', 'where to write (default: standard output)')
    .option('--json', 'print one JSON document about the file')
    .addHelpText('after', HELP)
    .action(exportObject)
