// Output of commands: one JSON document, or text for people; errors as one line.

export interface OutputOptions {
  json?: true
}

export const JSON_OUTPUT = ['--json', 'print one JSON document'] as const

/** Prints `value` as JSON with --json, and the lines of `text` otherwise. */
export function print(options: OutputOptions, value: unknown, text: () => string[]): void {
  process.stdout.write(options.json ? `${JSON.stringify(value)}\n` : text().map(asLine).join(''))
}

const asLine = (line: string) => `${line}\n`

/** Columns as wide as their widest cell; without rows, only `empty`. */
export function table(headings: readonly string[], rows: readonly string[][], empty: string): string[] {
  if (rows.length === 0) return [empty]
  const lines = [headings, ...rows]
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** Prints a message for people on standard error, while the command runs. */
export const tell = (text: string): void => void process.stderr.write(`rapport: ${text}\n`)

export const messageOf = (error: unknown): string =>
  (error instanceof Error && error.message) || String(error)

/** Prints an error in one line on standard error, and sets exit code 1 unless a signal has set another one. */
export function fail(error: unknown): void {
  process.stderr.write(
    `rapport: ${messageOf(error)
      .split(/\s*\n\s*/)
      .join(' ')}\n`,
  )
  process.exitCode ??= 1
}
