// The samples as data of records: only the content of the samples, in the form of the attributes.
import { createReadStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openCsv } from '../imports/csv/open.ts'

type Row = Record<string, string>
type Data = Record<string, unknown>

async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  yield* createReadStream(fileURLToPath(new URL(`../../samples/${file}`, import.meta.url)))
}

async function readSample(file: string): Promise<Row[]> {
  const rows: Row[] = []
  let headers: string[] | undefined
  const { rows: read } = await openCsv(() => bytesOf(file))
  for await (const { line, cells, error } of read()) {
    if (error) throw new Error(`samples/${file}, line ${line}: ${error}`)
    if (headers) rows.push(Object.fromEntries(headers.map((header, index) => [header, cells[index] ?? ''])))
    else headers = cells
  }
  return rows
}

/** Leaves out empty values of the sample. */
const given = (data: Data): Data =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== '' && value !== undefined))

/** Last parts of a headquarters that are not states of the United States. */
const COUNTRIES: Record<string, string> = {
  Bermuda: 'BM',
  Canada: 'CA',
  Ireland: 'IE',
  Netherlands: 'NL',
  Switzerland: 'CH',
  'United Kingdom': 'GB',
}

/** `Saint Paul, Minnesota`, `Dublin, Ireland`, `Columbus, Ohio; Detroit, Michigan`, `none` */
export function headquarters(text: string): Data | undefined {
  // Removes the footnote marks of the source.
  const place = text.replace(/\[\d+\]/g, '')
  if (place === '' || place === 'none') return undefined
  if (place.includes(';')) return { line1: place, country: 'US' }
  const parts = place.split(',').map((part) => part.trim())
  const [city, ...rest] = parts
  const country = COUNTRIES[rest.at(-1) ?? '']
  const state = country ? rest.slice(0, -1).join(', ') : rest.join(', ')
  return given({ city, state, country: country ?? 'US' })
}

/** The first year in the text; also the whole text if it contains more, such as `2013 (1888)`. */
export function founding(text: string): Data {
  const year = /\d{4}/.exec(text)?.[0]
  return { founded: year && Number(year), founding_note: text === year ? undefined : text }
}

const company = (row: Row): Data =>
  given({
    name: row['Security'],
    ticker: row['Symbol'],
    sector: row['GICS Sector'],
    sub_industry: row['GICS Sub-Industry'],
    address: headquarters(row['Headquarters Location'] ?? ''),
    sp500_since: row['Date added'],
    cik: row['CIK'],
    ...founding(row['Founded'] ?? ''),
    tags: ['S&P 500'],
    fictional: false,
  })

/** `511 Hart Senate Office Building Washington DC 20510` */
export function officeAddress(text: string): Data | undefined {
  const [, line1, postalCode] = /^(.+) Washington DC (\d{5}(?:-\d{4})?)$/.exec(text) ?? []
  if (line1) return { line1, city: 'Washington', state: 'DC', postalCode, country: 'US' }
  return text === '' ? undefined : { line1: text }
}

const person = (row: Row): Data =>
  given({
    name: given({
      firstName: [row['first_name'], row['middle_name']].filter(Boolean).join(' '),
      lastName: row['last_name'],
    }),
    phone: row['phone'],
    birthday: row['birthday'],
    office_address: officeAddress(row['office_address'] ?? ''),
    chamber: row['chamber'],
    state: row['state'],
    party: row['party'],
    website: row['website'],
    first_elected: row['first_elected'],
    bioguide_id: row['external_id'],
    tags: ['US Congress'],
    fictional: false,
  })

export const readCompanies = async (): Promise<Data[]> => (await readSample('companies.csv')).map(company)
export const readPeople = async (): Promise<Data[]> => (await readSample('people.csv')).map(person)
