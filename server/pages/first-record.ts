// The name of a record, and those of its values that are texts.
import { namingAttribute, recordName } from '../../contract/record-name.ts'
import {
  bar,
  escaped,
  type FirstAddress,
  type FirstObject,
  type FirstRecord,
  plainText,
  type ReadFirst,
} from './first-text.ts'

const isFilled = (value: unknown) =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

function recordOf({ pluralName, attributes }: FirstObject, record: FirstRecord): string {
  const naming = namingAttribute(attributes)
  const name = recordName(naming, record)
  const values = attributes
    .filter(({ slug }) => slug !== naming?.slug && isFilled(record.data[slug]))
    .map((one) => {
      const text = escaped(plainText(one, record))
      return `<div class="shell-value"><span>${escaped(one.name)}</span><b>${text}</b></div>`
    })
  const head = `<div class="shell-name"><i></i><b>${escaped(name)}</b></div>`
  return `${bar(`${pluralName} › ${name}`)}<div class="shell-record">${head}<i class="shell-parts"></i>${values.join('')}</div>`
}

/** @returns undefined where the visitor may not read it, or another record has taken its place */
export async function firstRecord(
  read: ReadFirst,
  { api, object, record }: FirstAddress,
): Promise<string | undefined> {
  const path = `${api}/objects/${object}`
  const [of, found] = (await Promise.all([read(path), read(`${path}/records/${record}`)])) as [
    FirstObject | undefined,
    FirstRecord | undefined,
  ]
  if (!of?.isActive || !found || found.mergedInto !== undefined) return undefined
  return recordOf(of, found)
}
