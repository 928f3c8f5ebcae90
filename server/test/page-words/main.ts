// npm run words: every text of the dashboard, for a person to read.
import { RULES } from './rules.ts'
import { pageTexts } from './texts.ts'

for (const [file, texts] of Map.groupBy(pageTexts(), (one) => one.file)) {
  process.stdout.write(`\n${file}\n`)
  for (const { line, text } of texts) {
    const faults = RULES.filter((rule) => rule.faults(text).length > 0).map(({ title }) => `   [${title}]`)
    process.stdout.write(`  ${line}: ${text}${faults.join('')}\n`)
  }
}
