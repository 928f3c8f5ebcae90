// Shows probable duplicates below the fields of a new record.
import { Anchor, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { ObjectWithAttributes } from '../../../contract/objects.ts'
import { namingAttribute, recordName } from '../../../contract/record-name.ts'
import { afterPress } from '../../ui/after-press.ts'
import { type DuplicateRule, duplicateRulesQuery } from '../api/duplicate-rules.ts'
import type { CrmRecord, RecordData } from '../api/records.ts'
import { similarRecordsQuery } from '../api/similar-records.ts'
import { recordPaths } from '../paths.ts'
import { reasonText } from '../records/duplicate-reasons.ts'
import { useOrg } from '../use-organization.ts'
import { isEmpty } from './format.ts'

/** The page of duplicates shows more. */
const SHOWN = 3

interface SimilarProps {
  object: ObjectWithAttributes
  /** The values at the time when a field last lost the focus. */
  data: RecordData
  /** Chooses an existing record in place of the new one. Without it, the names are links. */
  onChoose?(id: string): void
}

/** The values that an active rule compares. */
function comparedOf(rules: readonly DuplicateRule[], data: RecordData): RecordData {
  const slugs = rules.flatMap(({ isActive, attributeSlugs }) => (isActive ? attributeSlugs : []))
  return Object.fromEntries(
    Object.entries(data).filter(([slug, value]) => slugs.includes(slug) && !isEmpty(value)),
  )
}

/** Changes are shown only while no pointer button is down, because they move the buttons below. */
function useSimilar({ object, data }: Pick<SimilarProps, 'object' | 'data'>) {
  const org = useOrg()
  const { data: rules = [] } = useQuery(duplicateRulesQuery(org, object.slug))
  const compared = comparedOf(rules, data)
  const isAsked = Object.keys(compared).length > 0
  const { data: found } = useQuery({
    ...similarRecordsQuery(org, object.slug, compared),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  })
  const similar = isAsked ? found : undefined
  const [shown, setShown] = useState(similar)
  useEffect(() => afterPress(() => setShown(similar)), [similar])
  return (shown ?? []).map(({ record, reasons }) => ({ record, reason: reasonText(rules, reasons) }))
}

/**
 * The values of a form to compare with other records. They are updated when a field loses the focus.
 * @param key changes when the fields are mounted again
 */
export function useCompared(values: RecordData, key: string | number) {
  const [left, setLeft] = useState(0)
  const [compared, setCompared] = useState({ at: '', data: values })
  const at = `${left} ${key}`
  if (compared.at !== at) setCompared({ at, data: values })
  return { compared: compared.data, leave: () => setLeft((times) => times + 1) }
}

function Name({
  object,
  record,
  onChoose,
}: Pick<SimilarProps, 'object' | 'onChoose'> & { record: CrmRecord }) {
  const org = useOrg()
  const name = recordName(namingAttribute(object.attributes), record)
  if (onChoose)
    return (
      <Anchor component="button" type="button" underline="always" onClick={() => onChoose(record.id)}>
        {name}
      </Anchor>
    )
  return (
    <Anchor component={Link} to={recordPaths.record(org, object.slug, record.id)} underline="always">
      {name}
    </Anchor>
  )
}

export function SimilarRecords({ object, data, onChoose }: SimilarProps) {
  const similar = useSimilar({ object, data })
  const what = `This ${object.singularName.toLowerCase()} may exist already`
  return (
    <div role="status">
      {similar.length > 0 && (
        <div className="box sunken stack gap-4">
          <Text>{onChoose ? `${what}. Choose it in place of a new one:` : `${what}:`}</Text>
          {similar.slice(0, SHOWN).map(({ record, reason }) => (
            <Text key={record.id} className="breakable">
              <Name object={object} record={record} {...(onChoose && { onChoose })} />{' '}
              <span className="muted tiny">{reason}</span>
            </Text>
          ))}
        </div>
      )}
    </div>
  )
}
