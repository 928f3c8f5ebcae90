// Duplicate records: the rules that find them, matches for new data, and the search in all records of an object.
import { type Static, Type } from 'typebox'
import { flag, listOf, literals, Nullable, StrictObject, Timestamp, Uuid } from './common.ts'
import { exampleId, examplePage, exampleTimes, exampleWhole } from './example-values.ts'
import { ActingUser } from './members.ts'
import { pageParams, WholeListQuery } from './paging.ts'
import { CrmRecord, exampleRecord, RecordData } from './records.ts'
import type { ApiRoutes } from './route.ts'

export const DUPLICATE_RULE_KINDS = ['same_email', 'same_phone', 'same_domain', 'similar_name'] as const

/** Maximum records of a group: as many as one merge accepts. */
export const DUPLICATES_PER_GROUP_MAX = 20
/** Maximum groups that a search stores. */
export const DUPLICATE_GROUPS_MAX = 10_000
/** Maximum records in a response with matches. */
export const DUPLICATE_MATCHES_MAX = 10

const RuleId = Type.String({
  description: 'Kind of the rule and slugs of its attributes, joined by periods',
  examples: ['same_email.email', 'similar_name.name.company'],
})

export const DuplicateRule = StrictObject(
  {
    id: RuleId,
    kind: literals(DUPLICATE_RULE_KINDS, {
      description:
        'same_email and same_phone: an equal value. same_domain: the same host, without www. similar_name: names with small differences, of records with the same company; if a record has no company, names that are equal when case, accents and punctuation are ignored',
    }),
    name: Type.String({ examples: ['Same email'] }),
    attributeSlugs: Type.Array(Type.String(), { description: 'Attributes that the rule compares' }),
    isActive: Type.Boolean(),
  },
  { description: 'A rule for when two records of an object are duplicates' },
)
export type DuplicateRule = Static<typeof DuplicateRule>

export const DuplicateRuleList = listOf('rules', DuplicateRule)

export const DuplicateRulePatch = StrictObject({ isActive: Type.Boolean() })

const Reasons = Type.Array(RuleId, { description: 'Ids of the rules by which the records match' })

export const DuplicateQuestion = StrictObject({ data: RecordData })
export type DuplicateQuestion = Static<typeof DuplicateQuestion>

export const DuplicateMatches = StrictObject({
  matches: Type.Array(StrictObject({ record: CrmRecord, reasons: Reasons }), {
    maxItems: DUPLICATE_MATCHES_MAX,
    description: 'Records that match by the most rules come first',
  }),
})
export type DuplicateMatches = Static<typeof DuplicateMatches>

export const DuplicateSearch = StrictObject(
  {
    id: Uuid,
    state: literals(['running', 'completed', 'cancelled']),
    seen: Type.Integer({ description: 'Number of records that the search has read' }),
    total: Type.Integer({ description: 'Number of records at the start of the search' }),
    startedAt: Timestamp,
    finishedAt: Nullable(Timestamp),
    foundAt: Nullable(Timestamp, { description: 'When the listed groups were found; null: never' }),
  },
  { description: 'A search for duplicates in all records of an object' },
)
export type DuplicateSearch = Static<typeof DuplicateSearch>

export const LastDuplicateSearch = StrictObject({
  search: Nullable(DuplicateSearch, { description: 'null: no search has run yet' }),
})
export type LastDuplicateSearch = Static<typeof LastDuplicateSearch>

export const DuplicateGroup = StrictObject(
  {
    id: Uuid,
    records: Type.Array(CrmRecord, {
      maxItems: DUPLICATES_PER_GROUP_MAX,
      description: 'Oldest record first',
    }),
    reasons: Reasons,
    foundAt: Timestamp,
    dismissedAt: Nullable(Timestamp, { description: 'When a user dismissed the group as not duplicates' }),
    dismissedBy: Nullable(ActingUser),
  },
  { description: 'Records that are probably duplicates' },
)
export type DuplicateGroup = Static<typeof DuplicateGroup>

export const DuplicateGroupList = listOf('groups', DuplicateGroup)
export type DuplicateGroupList = Static<typeof DuplicateGroupList>

export const DuplicateGroupQuery = StrictObject({
  ...pageParams(),
  isDismissed: flag('true: list dismissed groups instead of open groups'),
  dismissed: Type.Optional(Type.Boolean({ description: 'Deprecated: use `isDismissed`' })),
})
export type DuplicateGroupQuery = Static<typeof DuplicateGroupQuery>

export const DuplicateGroupPatch = StrictObject({
  isDismissed: Type.Boolean({
    description: 'true: the records are not duplicates; later searches do not group them again',
  }),
})

/** Schemas by their names in the API document. */
export const duplicateSchemas = {
  DuplicateRule,
  DuplicateRuleList,
  DuplicateRulePatch,
  DuplicateQuestion,
  DuplicateMatches,
  DuplicateSearch,
  LastDuplicateSearch,
  DuplicateGroup,
  DuplicateGroupList,
  DuplicateGroupPatch,
}

const exampleRule: DuplicateRule = {
  id: 'similar_name.name.company',
  kind: 'similar_name',
  name: 'Similar name and same company',
  attributeSlugs: ['name', 'company'],
  isActive: true,
}

const exampleSearch: DuplicateSearch = {
  id: exampleId(14),
  state: 'running',
  seen: 250_000,
  total: 1_000_000,
  startedAt: exampleTimes.updatedAt,
  finishedAt: null,
  foundAt: null,
}

const exampleGroup = {
  id: exampleId(15),
  records: [exampleRecord, { ...exampleRecord, id: exampleId(8) }],
  reasons: [exampleRule.id],
  foundAt: exampleTimes.updatedAt,
  dismissedAt: null,
  dismissedBy: null,
}

export const duplicateRoutes = {
  listDuplicateRules: {
    at: 'GET /objects/:objectId/duplicate-rules',
    scope: 'attributes:read',
    summary: 'List duplicate rules',
    description:
      'The attributes of an object determine its rules: for attributes of type email and phone_number, for domains and websites, and for the name. By default, rules for phone numbers are active in custom objects, rules for names in all objects except deals, and other rules in all objects.',
    query: WholeListQuery,
    response: { 200: DuplicateRuleList },
    example: { response: { rules: [exampleRule], pagination: exampleWhole } },
  },
  updateDuplicateRule: {
    at: 'PATCH /objects/:objectId/duplicate-rules/:ruleId',
    scope: 'attributes:write',
    readScope: 'attributes:read',
    summary: 'Activate or deactivate a duplicate rule',
    body: DuplicateRulePatch,
    response: { 200: DuplicateRule },
    example: { body: { isActive: false }, response: { ...exampleRule, isActive: false } },
  },
  findDuplicates: {
    at: 'POST /objects/:objectId/records/duplicates',
    scope: 'records:read',
    summary: 'Find likely duplicates of a new record',
    description: `At most ${DUPLICATE_MATCHES_MAX} records that match the given values by an active rule. Nothing is written.`,
    body: DuplicateQuestion,
    response: { 200: DuplicateMatches },
    example: {
      body: { data: { name: 'Ada Lovelace', email: 'ada@example.com' } },
      response: { matches: [{ record: exampleRecord, reasons: ['same_email.email'] }] },
    },
  },
  getDuplicateSearch: {
    at: 'GET /objects/:objectId/duplicate-search',
    scope: 'records:read',
    summary: 'Get the last search for duplicates',
    response: { 200: LastDuplicateSearch },
    example: { response: { search: exampleSearch } },
  },
  startDuplicateSearch: {
    at: 'POST /objects/:objectId/duplicate-search',
    scope: 'records:write',
    summary: 'Search an object for duplicates',
    description:
      'Starts a search by the active rules in the background. An object has at most one running search: if a search is already running, the response is that search. After the first search, the object is searched again within a day of a change.',
    response: { 200: DuplicateSearch },
    errors: ['object_inactive'],
    example: { response: exampleSearch },
  },
  cancelDuplicateSearch: {
    at: 'POST /objects/:objectId/duplicate-search/cancel',
    scope: 'records:write',
    summary: 'Cancel a search for duplicates',
    description: 'The groups of the previous search stay. A search that has ended is not changed.',
    response: { 200: LastDuplicateSearch },
    example: { response: { search: { ...exampleSearch, state: 'cancelled' } } },
  },
  listDuplicateGroups: {
    at: 'GET /objects/:objectId/duplicates',
    scope: 'records:read',
    summary: 'List groups of duplicates',
    description: `Groups of the last search: at most ${DUPLICATE_GROUPS_MAX} groups of 2 to ${DUPLICATES_PER_GROUP_MAX} records, groups with the most reasons first. Groups with fewer than two remaining records are omitted.`,
    query: DuplicateGroupQuery,
    response: { 200: DuplicateGroupList },
    example: { response: { groups: [exampleGroup], pagination: examplePage } },
  },
  updateDuplicateGroup: {
    at: 'PATCH /objects/:objectId/duplicates/:groupId',
    scope: 'records:write',
    summary: 'Dismiss or reopen a group of duplicates',
    description: '`isDismissed: false` lists the group again.',
    body: DuplicateGroupPatch,
    response: { 200: DuplicateGroup },
    example: {
      body: { isDismissed: true },
      response: { ...exampleGroup, dismissedAt: exampleTimes.updatedAt },
    },
  },
} satisfies ApiRoutes
