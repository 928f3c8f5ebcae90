// The first content of a board whose columns are the options of a select.
import type { Attribute } from '../../contract/attributes.ts'
import { namingAttribute, recordName } from '../../contract/record-name.ts'
import {
  bar,
  escaped,
  type FirstAddress,
  type FirstObject,
  type FirstRecords,
  type ReadFirst,
} from './first-text.ts'

/** Number of columns with cards: as many as a wide window shows. Other columns only take their width. */
const COLUMNS = 5
const COLUMNS_MAX = 20
const CARDS = 8

const optionsOf = ({ config }: Attribute): string[] => {
  const { options } = config as { options?: unknown }
  return Array.isArray(options) ? options.filter((one) => typeof one === 'string') : []
}

/** The attribute of the columns, as the page chooses it: the one in the address, or else the first select. */
function columnsOf({ attributes }: FirstObject, query: URLSearchParams): Attribute | undefined {
  const chosen = query.get('board')?.split(':')[0]
  const selects = attributes.filter(({ type, isList }) => type === 'select' && !isList)
  return chosen === undefined ? selects[0] : selects.find(({ slug }) => slug === chosen)
}

const NOTHING_ELSE = new Set(['kind', 'board'])

interface FirstColumn {
  title: string
  page?: FirstRecords | undefined
}

type ReadColumn = (query: string) => Promise<FirstRecords | undefined>

/** The column of records without a value. It is left out if it is empty, as on the page. */
async function withoutValue(read: ReadColumn, { name, slug }: Attribute): Promise<FirstColumn[]> {
  const page = await read(`limit=1&count=false&filter[${slug}][isEmpty]=true`)
  return page?.records.length ? [{ title: `No ${name.toLowerCase()}` }] : []
}

function boardOf(object: FirstObject, columns: readonly FirstColumn[]) {
  const naming = namingAttribute(object.attributes)
  const sections = columns.map(({ title, page }) => {
    const cards = page?.records.map(
      (record) => `<div class="shell-card">${escaped(recordName(naming, record))}</div>`,
    )
    return `<section class="shell-column"><span>${escaped(title)}</span>${cards?.join('') ?? ''}</section>`
  })
  return `${bar(object.pluralName)}<div class="shell-bar"></div><div class="shell-board">${sections.join('')}</div>`
}

/** @returns undefined if the visitor may not read the object, or the address has more parameters than kind and board */
export async function firstBoard(
  read: ReadFirst,
  { api, object, query }: FirstAddress,
): Promise<string | undefined> {
  if (query.get('kind') !== 'board' || [...query.keys()].some((key) => !NOTHING_ELSE.has(key)))
    return undefined
  const path = `${api}/objects/${object}`
  const of = (await read(path)) as FirstObject | undefined
  const groupBy = of && columnsOf(of, query)
  if (!of?.isActive || !groupBy) return undefined
  const options = optionsOf(groupBy).slice(0, COLUMNS_MAX)
  const readColumn: ReadColumn = async (cards) =>
    (await read(`${path}/records?${cards}`)) as FirstRecords | undefined
  const columns = options.map(async (title, index): Promise<FirstColumn> => {
    if (index >= COLUMNS) return { title }
    const filter = `filter[${groupBy.slug}][equals]=${encodeURIComponent(title)}`
    const cards = `limit=${CARDS}&count=false&sort=updated_at&order=desc&${filter}`
    return { title, page: await readColumn(cards) }
  })
  const [withValue, last] = await Promise.all([Promise.all(columns), withoutValue(readColumn, groupBy)])
  return boardOf(of, [...withValue, ...last])
}
