// The guides for operators contain only existing commands, settings, links and files.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { buildProgram } from '../../cli/program.ts'
import { FILE_VARIABLES } from '../config/environment.ts'
import { VARIABLE_NAMES } from '../operations/diagnosis/configuration.ts'
import { root } from './imports.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const PAGES = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/operators/*.md', { cwd: root })]
const FILES = ['deploy/compose.yaml', 'deploy/systemd/rapport.env', 'deploy/helm/production.yaml']

const BLOCK = /^ *```(?:sh|ini|yaml)\n([\s\S]*?)^ *```$/gm
const blocksOf = (text: string) =>
  [...text.matchAll(BLOCK)].map(([, block = '']) => block.replaceAll(/\\\n[ #]*/g, ''))
const copied = [
  ...PAGES.map((path) => ({ path, text: blocksOf(read(path)).join('\n') })),
  ...FILES.map((path) => ({ path, text: read(path).replaceAll(/\\\n[ #]*/g, '') })),
]

/** `npx rapport …` and `rapport …` at the start of a line, or after a comment sign, a variable or a container name. */
const INVOCATION =
  /^(?:# +)?(?:[A-Z_]+=\S+ )*(?:docker compose exec api |kubectl exec \S+ -- |npx )?rapport ([a-z][^#|\n]*)/gm
const INLINE = /`(?:[A-Z_]+=\S+ )*(?:npx )?rapport ([a-z][^`]*)`/g

/** Splits a command into words, as a shell does; the reader replaces `<file>` and `…`. */
const wordsOf = (text: string) =>
  text.replaceAll(/<[^>]*>/g, '…').match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? []

interface Fault {
  command: Command
  faults: string[]
}

const optionsOf = (command: Command): Command['options'] => [
  ...command.options,
  ...(command.parent ? optionsOf(command.parent) : []),
]

/** Follows the words of an invocation through commands and subcommands. */
function checked(words: readonly string[]): Fault {
  const faults: string[] = []
  let command: Command = buildProgram()
  let values = 0
  for (let at = 0; at < words.length; at++) {
    const [word = '', ...given] = (words[at] ?? '').split('=')
    if (word === '…') continue
    const next = command.commands.find((one) => one.name() === word)
    if (next) command = next
    else if (word.startsWith('-')) {
      const option = optionsOf(command).find(({ long, short }) => long === word || short === word)
      if (!option && word !== '--help') faults.push(`${command.name()} has no ${word}`)
      if (option?.required && given.length === 0) at++
    } else if (command.commands.length > 0) faults.push(`${command.name()} has no ${word}`)
    else values++
  }
  const variadic = command.registeredArguments.some((one) => one.variadic)
  if (!variadic && values > command.registeredArguments.length) faults.push(`${command.name()} takes less`)
  return { command, faults }
}

const missing = (words: readonly string[], { command }: Fault) =>
  words.includes('--help')
    ? []
    : command.options
        .filter(
          ({ mandatory, envVar, long }) => mandatory && envVar === undefined && !words.includes(long ?? ''),
        )
        .map(({ long }) => `${command.name()} needs ${long}`)

describe('commands of rapport', () => {
  const invocations = copied.flatMap(({ path, text }) =>
    [...text.matchAll(INVOCATION)].map(([, words = '']) => ({ path, words: words.trim() })),
  )

  test('are found', () => expect(invocations.length).toBeGreaterThan(25))

  test.each(invocations)('$path: rapport $words', ({ words: text }) => {
    const words = wordsOf(text)
    const result = checked(words)
    expect([...result.faults, ...missing(words, result)]).toEqual([])
  })

  const mentioned = PAGES.flatMap((path) =>
    [...read(path).matchAll(INLINE)].map(([, words = '']) => ({ path, words })),
  )

  test.each(mentioned)('$path: rapport $words, within a sentence', ({ words }) =>
    expect(checked(wordsOf(words)).faults).toEqual([]),
  )
})

/** Settings of other programs. */
const OTHERS = /^(?:ETCD_|POSTGRES_|PG|NODE_OPTIONS$|TEST_)/
const SETTING = /(?:^|[ "(])(?:# +)?(?:export )?([A-Z][A-Z\d]*(?:_[A-Z\d]+)+|HOST|PORT|ROLE|CELLS)=/gm

const known = new Set([
  ...VARIABLE_NAMES,
  ...FILE_VARIABLES.map((name) => `${name}_FILE`),
  'RAPPORT_OWNER_PASSWORD',
])

describe('settings', () => {
  test.each(copied)('$path sets only settings that the service reads', ({ text }) => {
    const names = [...text.matchAll(SETTING)].map(([, name = '']) => name)
    expect(names.filter((name) => !known.has(name) && !OTHERS.test(name))).toEqual([])
  })
})

describe('settings in a shell', () => {
  const SHELL = /^ *```sh\n([\s\S]*?)^ *```$/gm
  /** An assignment without a command after it. */
  const ASSIGNMENT = /^([A-Z][A-Z\d_]*)=(?:'[^']*'|"[^"]*"|\$\([^)]*\)|[^\s'"$]*) *(?:#.*)?$/gm

  test.each(PAGES)('%s exports them to the following commands', (page) => {
    const typed = [...read(page).matchAll(SHELL)].flatMap(([, block = '']) => [...block.matchAll(ASSIGNMENT)])
    const names = typed.map(([, name = '']) => name)
    expect(names.filter((name) => known.has(name))).toEqual([])
  })
})

/** The anchor that GitHub makes for a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

const anchorsOf = (path: string) =>
  [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, text = '']) => anchorOf(text))

describe('links', () => {
  test.each(PAGES)('%s links to files and headings that exist', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
    const broken = links.filter(([, file = '', anchor]) => {
      const path = file === '' ? page : join(dirname(page), file)
      if (!existsSync(join(root, path))) return true
      return anchor !== undefined && !anchorsOf(path).includes(anchor)
    })
    expect(broken.map(([link]) => link)).toEqual([])
  })
})

test.each(copied)('$path names only existing files of the repository', ({ text }) => {
  const named = [...text.matchAll(/(?:^|[ =])((?:deploy\/\w+|samples)\/[\w./-]+)/gm)].map(
    ([, file = '']) => file,
  )
  expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([])
})
