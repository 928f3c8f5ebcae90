// Looks up data for the check of sent values: members, and texts that records already have.
import { singleLine } from '../../../contract/single-line.ts'
import type { Caller } from '../../base/caller.ts'
import { isObject } from '../../base/json.ts'
import type { Db } from '../../db/pool.ts'
import { isStorable } from '../../http/storable.ts'
import type { ObjectModel } from '../../model/attributes/models.ts'
import { uniqueAttributes } from '../../model/attributes/unique-attributes.ts'
import { withMembers } from '../validation/member-values.ts'
import type { Locale } from '../values/attribute.ts'
import { comparedHost } from '../values/compared-host.ts'
import { indexable } from '../values/unique-keys.ts'
import { claimHosts } from './old-claims.ts'
import { holdersOf, type UniqueValue, uniqueKey } from './store.ts'

type SentText = UniqueValue & { slug: string; text: string; host: string | undefined }

const uniqueDomains = (model: ObjectModel) => uniqueAttributes(model).filter(({ type }) => type === 'domain')

/** Texts sent as unique domains that differ from their host names. Older records may contain such texts. */
function notAsCompared(model: ObjectModel, data: readonly unknown[]): SentText[] {
  const domains = uniqueDomains(model)
  if (domains.length === 0) return []
  return data.filter(isObject).flatMap((one) =>
    domains.flatMap(({ attr, slug }) => {
      const sent = Object.hasOwn(one, slug) ? one[slug] : undefined
      if (typeof sent !== 'string' || !isStorable(sent)) return []
      const text = singleLine(sent)
      const host = comparedHost(text)
      return text === '' || text === host ? [] : [{ attr, slug, text, host, value: indexable(text) }]
    }),
  )
}

/**
 * Records from older versions may have domains that are not host names. Such a text is accepted if a record has it as
 * its unique value: callers send back records that they have read, and find them by this text. A text with a host name
 * is replaced by the host name.
 */
async function selectHeld(
  db: Db,
  model: ObjectModel,
  sent: readonly SentText[],
): Promise<ReadonlySet<string>> {
  const holders = await holdersOf(db, model.org, sent)
  const known = sent.flatMap((one) => {
    const id = holders.get(uniqueKey(one))
    return id === undefined ? [] : [{ ...one, id }]
  })
  const old = known.flatMap(({ host, ...one }) =>
    host === undefined ? [] : [{ ...one, host: indexable(host) }],
  )
  if (old.length > 0) await claimHosts(db, model, old)
  return new Set(known.filter(({ host }) => host === undefined).map(({ slug, text }) => `${slug} ${text}`))
}

/**
 * The caller with the lookups that `checkData` needs. Sends a query only if the data needs it.
 * @param data of records, not checked yet
 */
export async function withLookups(
  db: Db,
  caller: Caller,
  model: ObjectModel,
  data: readonly unknown[],
): Promise<Caller & Locale> {
  const known = await withMembers(db, caller, model, data)
  const sent = notAsCompared(model, data)
  return sent.length === 0 ? known : { ...known, heldTexts: await selectHeld(db, model, sent) }
}
