// npm run house: prints figures about the structure of the code. With a word, also the details of matching figures.
import { isTest, modules } from '../imports.ts'
import { figuresOf } from './figures.ts'

const [word] = process.argv.slice(2)
const figures = figuresOf(modules.filter(({ file }) => !isTest(file)))

for (const { what, value, details } of figures) {
  process.stdout.write(`${String(value).padStart(7)}  ${what}\n`)
  if (word !== undefined && what.includes(word))
    for (const line of details) process.stdout.write(`           ${line}\n`)
}
