// Functions of {{templates}}, for the editor's picker, the guide and the validation of definitions. The browser loads
// this at run time.

export interface FunctionParameter {
  name: string
  type: 'text' | 'number' | 'any' | 'path' | 'timeZone'
  isOptional?: boolean
}

export interface FunctionText {
  group: 'Text' | 'Numbers' | 'Dates' | 'Lists' | 'Any value'
  parameters: readonly FunctionParameter[]
  description: string
  /** A template; `yields` is its result for an organization in Europe/Berlin. */
  example: string
  yields: unknown
}

const text = (name: string): FunctionParameter => ({ name, type: 'text' })
const number = (name: string): FunctionParameter => ({ name, type: 'number' })
const any = (name: string): FunctionParameter => ({ name, type: 'any' })
const path: FunctionParameter = { name: 'path', type: 'path' }
const zone: FunctionParameter = { name: 'time zone', type: 'timeZone', isOptional: true }
const optional = (parameter: FunctionParameter): FunctionParameter => ({ ...parameter, isOptional: true })

const TEXT = {
  upper: {
    parameters: [],
    description: 'In upper case',
    example: "{{'won' | upper}}",
    yields: 'WON',
  },
  lower: {
    parameters: [],
    description: 'In lower case',
    example: "{{'Ada@Example.com' | lower}}",
    yields: 'ada@example.com',
  },
  capitalize: {
    parameters: [],
    description: 'With the first letter in upper case',
    example: "{{'new deal' | capitalize}}",
    yields: 'New deal',
  },
  trim: {
    parameters: [],
    description: 'Without surrounding spaces',
    example: "{{' Ada ' | trim}}",
    yields: 'Ada',
  },
  truncate: {
    parameters: [number('characters')],
    description: 'At most the given number of characters, ending in … if it was cut',
    example: "{{'A long story' | truncate 7}}",
    yields: 'A long…',
  },
  replace: {
    parameters: [text('what'), text('by')],
    description: 'Each occurrence of a text replaced by another',
    example: "{{'2026-11-20' | replace '-' '/'}}",
    yields: '2026/11/20',
  },
  split: {
    parameters: [text('separator')],
    description: 'The parts of a text as a list',
    example: "{{'a@x.org,b@x.org' | split ','}}",
    yields: ['a@x.org', 'b@x.org'],
  },
  urlencode: {
    parameters: [],
    description: 'Encoded for a URL',
    example: "{{'Ada & Co' | urlencode}}",
    yields: 'Ada%20%26%20Co',
  },
  text: {
    parameters: [],
    description: 'Any value as text',
    example: '{{trigger.data.name | text}}',
    yields: 'Ada Lovelace',
  },
} as const

const NUMBERS = {
  number: {
    parameters: [optional(number('decimals'))],
    description: 'Formatted with commas and the given number of decimals',
    example: '{{12500.5 | number 2}}',
    yields: '12,500.50',
  },
  money: {
    parameters: [optional(text('currency'))],
    description: 'An amount formatted with its currency, or a plain number with the given currency',
    example: '{{trigger.data.amount | money}}',
    yields: '€1,200.50',
  },
  plus: {
    parameters: [any('number')],
    description: 'The sum; amounts keep their currency, and different currencies have no sum',
    example: '{{trigger.data.amount | plus 99.5}}',
    yields: { amount: 1300, currency: 'EUR' },
  },
  minus: {
    parameters: [any('number')],
    description: 'The difference',
    example: '{{0.3 | minus 0.1}}',
    yields: 0.2,
  },
  times: {
    parameters: [any('number')],
    description: 'The product',
    example: '{{12 | times 1.5}}',
    yields: 18,
  },
  divide: {
    parameters: [any('number')],
    description: 'The quotient, to 15 decimals; no value when divided by 0',
    example: '{{1 | divide 8}}',
    yields: 0.125,
  },
  round: {
    parameters: [optional(number('decimals'))],
    description: 'Rounded; halves away from zero',
    example: '{{2.345 | round 2}}',
    yields: 2.35,
  },
} as const

const DATES = {
  date: {
    parameters: [optional(text('format')), zone],
    description:
      'Formatted with YYYY YY MMMM MMM MM M DD D dddd ddd HH H hh h mm ss A; text in [brackets] stays as it is. In the time zone of the organization',
    example: "{{'2026-11-20T22:30:00Z' | date 'ddd, D MMMM YYYY [at] HH:mm'}}",
    yields: 'Fri, 20 November 2026 at 23:30',
  },
  day: {
    parameters: [zone],
    description: 'The date of a timestamp, as date attributes store it',
    example: "{{'2026-11-20T23:30:00Z' | day}}",
    yields: '2026-11-21',
  },
  startOfWeek: {
    parameters: [zone],
    description: 'The Monday of its week',
    example: "{{'2026-11-20' | startOfWeek}}",
    yields: '2026-11-16',
  },
  startOfMonth: {
    parameters: [zone],
    description: 'The first day of its month',
    example: "{{'2026-11-20' | startOfMonth}}",
    yields: '2026-11-01',
  },
  addHours: {
    parameters: [number('hours')],
    description: 'The timestamp the given number of hours later',
    example: "{{'2026-11-20T10:00:00Z' | addHours 36}}",
    yields: '2026-11-21T22:00:00.000Z',
  },
  addDays: {
    parameters: [number('days')],
    description:
      'The date or timestamp the given number of days later, at the same time of day; -7 is a week earlier',
    example: "{{'2026-11-20' | addDays 14}}",
    yields: '2026-12-04',
  },
  addMonths: {
    parameters: [number('months')],
    description: 'The given number of months later; the last day if the month is too short',
    example: "{{'2026-01-31' | addMonths 1}}",
    yields: '2026-02-28',
  },
} as const

const LISTS = {
  first: {
    parameters: [],
    description: 'The first element',
    example: '{{steps.deals.records | first}}',
    yields: { id: 'a', data: { title: 'Small', amount: { amount: 200, currency: 'EUR' } } },
  },
  last: {
    parameters: [],
    description: 'The last element',
    example: "{{'a,b,c' | split ',' | last}}",
    yields: 'c',
  },
  length: {
    parameters: [],
    description: 'The number of elements or characters',
    example: '{{steps.deals.records | length}}',
    yields: 2,
  },
  slice: {
    parameters: [number('from'), optional(number('to'))],
    description: 'The elements or characters from one index to before another, counted from 0',
    example: "{{'2026-11-20' | slice 0 4}}",
    yields: '2026',
  },
  join: {
    parameters: [optional(text('separator'))],
    description: 'A list as text, separated by commas by default',
    example: "{{trigger.data.tags | join ' / '}}",
    yields: 'vip / eu',
  },
  pluck: {
    parameters: [path],
    description: 'One value of each element; elements without it are left out',
    example: "{{steps.deals.records | pluck 'data.title' | join}}",
    yields: 'Small, Large',
  },
  sum: {
    parameters: [optional(path)],
    description: 'The sum of all numbers; amounts of one currency keep it',
    example: "{{steps.deals.records | sum 'data.amount'}}",
    yields: { amount: 50_200.5, currency: 'EUR' },
  },
} as const

const ANY_VALUE = {
  default: {
    parameters: [any('value')],
    description: 'A default for a missing value',
    example: "{{trigger.data.nickname | default 'there'}}",
    yields: 'there',
  },
  json: {
    parameters: [],
    description: 'As JSON text',
    example: '{{trigger.data.tags | json}}',
    yields: '["vip","eu"]',
  },
} as const

const inGroup = <const Group extends FunctionText['group'], Functions extends object>(
  group: Group,
  functions: Functions,
) =>
  Object.fromEntries(Object.entries(functions).map(([name, one]) => [name, { ...one, group }])) as {
    [Name in keyof Functions]: Functions[Name] & { group: Group }
  }

export const WORKFLOW_FUNCTIONS = {
  ...inGroup('Text', TEXT),
  ...inGroup('Numbers', NUMBERS),
  ...inGroup('Dates', DATES),
  ...inGroup('Lists', LISTS),
  ...inGroup('Any value', ANY_VALUE),
} as const satisfies Record<string, FunctionText>
export type WorkflowFunction = keyof typeof WORKFLOW_FUNCTIONS

export const isWorkflowFunction = (name: string): name is WorkflowFunction =>
  Object.hasOwn(WORKFLOW_FUNCTIONS, name)
