// The syntax trees of what the dashboard consists of.
import { parseSync } from 'vite'
import { modules } from '../imports.ts'
import { type Node, type Source, treeOf } from '../message-list/syntax.ts'

const TEST = /\.(?:test|verify|fixture)\.tsx?$|^dashboard\/e2e\//

/** Words that the dashboard shows, and that mails have too. */
const SHARED = ['contract/notification-words.ts']

/** Code of programs for other languages, which is shown as it is. */
const CODE = /^dashboard\/features\/webhooks\/parts\/samples\//

/** What is drawn; the theme has names of fonts. */
const SHOWN = /^dashboard\/(?:app|features|shared|types|ui\/(?!theme\.ts))/

const isOurs = (file: string) =>
  SHARED.includes(file) || (SHOWN.test(file) && !TEST.test(file) && !CODE.test(file))

export const pageSources: readonly Source[] = modules
  .filter(({ file }) => isOurs(file))
  .map(({ file, text }) => {
    const program = parseSync(file, text).program as unknown as Node
    return { file, text, program, ...treeOf(program) }
  })
