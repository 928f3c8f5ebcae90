// npm run messages: prints every message that the API and the command line can show, for a person to read.
import { messages } from './places.ts'
import { RULES } from './rules.ts'

const shown = (text: string) => text.replaceAll('\n', ' ')

for (const [file, inFile] of Map.groupBy(messages(), (message) => message.file)) {
  process.stdout.write(`\n${file}\n`)
  for (const { line, kind, texts, open } of inFile.toSorted((a, b) => a.line - b.line)) {
    for (const text of texts) {
      const broken = RULES.filter((rule) => rule.kinds.includes(kind) && rule.isBroken(text))
      const faults = broken.map(({ title }) => `   [${title}]`).join('')
      process.stdout.write(`  ${line} ${kind}: ${shown(text)}${faults}\n`)
    }
    if (open !== undefined) process.stdout.write(`  ${line} ${kind} is not followed: ${shown(open)}\n`)
  }
}
