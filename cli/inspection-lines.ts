// Settings and findings as text.
import type { Setting } from '../server/operations/diagnosis/configuration.ts'
import type { Finding } from '../server/operations/diagnosis/finding.ts'
import { table } from './output.ts'

export const settingLines = (settings: readonly Setting[]): string[] =>
  settings.length === 0
    ? []
    : [
        ...table(
          ['VARIABLE', 'VALUE', ''],
          settings.map(({ name, value, source }) => [name, value ?? '', source === 'set' ? 'set' : '']),
          '',
        ),
        '',
      ]

export const findingLines = ({ check, status, detail, advice }: Finding): string[] => [
  `${status.padEnd(4)}  ${check.padEnd(13)}  ${detail}`,
  ...(advice === undefined ? [] : [`${' '.repeat(21)}${advice}`]),
]
