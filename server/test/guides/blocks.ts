// The code blocks of the guides: what readers copy.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../../docs/guide', import.meta.url))

export interface Block {
  guide: string
  line: number
  /** `sh`, `json`, `ts`. */
  language: string
  /** The values after the language: `file=copy.ts` → { file: 'copy.ts' } */
  info: Readonly<Record<string, string>>
  text: string
}

const FENCE = /^```(\w+)([^\n]*)\n([\s\S]*?)^```$/gm

const infoOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .trim()
      .split(/\s+/)
      .filter((word) => word.includes('='))
      .map((word) => word.split('=', 2)),
  )

export const guideText = (guide: string): string => readFileSync(join(FOLDER, `${guide}.md`), 'utf8')

export function blocksOf(guide: string): Block[] {
  const text = guideText(guide)
  return [...text.matchAll(FENCE)].map((match) => ({
    guide,
    line: text.slice(0, match.index).split('\n').length,
    language: match[1] ?? '',
    info: infoOf(match[2] ?? ''),
    text: match[3] ?? '',
  }))
}

export const GUIDE_NAMES = globSync('*.md', { cwd: FOLDER })
  .map((file) => basename(file, '.md'))
  .toSorted()
