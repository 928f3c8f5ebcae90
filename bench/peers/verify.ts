// Checks the answers of each system before its speed is measured.
import { personAt } from '../records/people.ts'
import { DIALECTS, PAGE_SIZE } from './dialects.ts'
import type { Party } from './party.ts'
import { FILTERED } from './people.ts'
import { send } from './processes.ts'
import type { Plan } from './rapport.ts'

const SAMPLES = 10
/** Values that every system answers in the same form. */
const COMPARED = ['email', 'industry', 'employees', 'is_customer', 'last_contacted', 'notes', 'city'] as const

const require = (isRight: boolean, title: string, what: string, answer: unknown) => {
  if (isRight) return
  throw new Error(`${title} answers ${what} wrongly: ${JSON.stringify(answer).slice(0, 500)}`)
}

async function verifyGets({ title, address, ids }: Party, { sample }: Plan): Promise<void> {
  const { record } = DIALECTS[address.system]
  for (const [place, n] of sample.slice(0, SAMPLES).entries()) {
    const { url, path, headers } = address
    const answer = await send(`${url}${path}/${ids[place]}`, { headers })
    const person = personAt(n)
    const isRight = COMPARED.every((name) => record(answer)[name] === person[name])
    require(isRight, title, `GET of person ${n}`, answer)
  }
}

/** @param counts people of each industry */
async function verifyLists({ title, address }: Party, counts: Map<string, number>): Promise<void> {
  const { list, counted, records, total } = DIALECTS[address.system]
  const { url, headers } = address
  for (const industry of FILTERED.slice(0, SAMPLES)) {
    const expected = counts.get(industry) ?? 0
    const [page, whole] = [list(address, industry), counted(address, industry)]
    for (const path of [page, whole]) {
      const answer = await send(`${url}${path}`, { headers })
      const rows = records(answer)
      const isRight = rows.length === Math.min(PAGE_SIZE, expected)
      require(isRight && rows.every((row) => row['industry'] === industry), title, path, answer)
      if (path === whole) require(Number(total(answer)) === expected, title, `the total of ${path}`, answer)
    }
  }
}

/** @throws Error when an answer is wrong */
export async function verify(party: Party, plan: Plan, counts: Map<string, number>): Promise<void> {
  await verifyGets(party, plan)
  await verifyLists(party, counts)
}
