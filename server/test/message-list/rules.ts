// The rules for all messages. Whether a message is clear, a person must judge from the list (npm run messages).
import type { Kind } from './places.ts'

interface Rule {
  title: string
  kinds: readonly Kind[]
  isBroken(text: string): boolean
}

const ALL: readonly Kind[] = ['problem', 'refusal', 'run', 'operator', 'note', 'defect']

/** Imperatives that state what to do. */
const VERBS =
  'activate|add|archive|ask|cancel|change|check|choose|close|confirm|connect|correct|create|delete|do|drop|enable|end|enter|fill|free|get|give|group|include|install|invite|join|leave|list|load|lower|make|map|match|mention|mount|move|name|omit|open|pass|place|put|raise|read|remove|rename|renew|repeat|replace|request|respond|restart|restore|review|rotate|run|save|see|send|set|shorten|show|sign|split|start|stop|try|undo|update|upgrade|upload|use|wait|write'

const ADVICE = new RegExp(
  String.raw`(?:^|[:;,.] |\b(?:and|or|so|then|first|instead|please) )(?:then |first |either |only )?(?:${VERBS})\b`,
  'i',
)

/** Phrases that state what is expected. */
const EXPECTED =
  /\b(?:must|did you mean|such as|instead|at most|is only for|required|there is none yet)\b|\?$/

/** A sentence may start with the name of a setting, a command or an option, or with a sent value. */
const NAME_FIRST = /^(?:["‹“{<-]|[A-Z_]{3,}|[a-z]+(?:[A-Z_.]|\[)|rapport\b|npm\b)/

/** Removes placeholders. */
const known = (text: string) => text.replaceAll(/‹[^›]*›/g, '')

export const RULES: readonly Rule[] = [
  {
    title: 'has a period at its end',
    kinds: ['problem', 'refusal'],
    isBroken: (text) => /[^.\s]\.$/.test(text),
  },
  {
    title: 'begins a new sentence, although it follows the path of a value',
    kinds: ['problem'],
    isBroken: (text) => /^(?:Choose|Each|Empty|Enter|It|Must|Not|Only|Please|Send|Use)\b/.test(text),
  },
  {
    title: 'begins in lower case',
    kinds: ['refusal', 'operator'],
    isBroken: (text) => /^[a-z]/.test(text) && !NAME_FIRST.test(text),
  },
  {
    title: 'shows a name of the implementation',
    kinds: ALL,
    isBroken: (text) => /\b(?:anyOf|TypeBox|schema path|undefined|NaN|regexp?|\[object)\b/.test(known(text)),
  },
  {
    title: 'cuts a list as if it were whole',
    kinds: ALL,
    isBroken: (text) => /, …|, \.\.\.|\band others\b|\betc\b/.test(known(text)),
  },
  {
    title: 'does not say what to do instead',
    kinds: ['problem', 'refusal', 'operator'],
    isBroken: (text) => !ADVICE.test(text) && !EXPECTED.test(text),
  },
]
