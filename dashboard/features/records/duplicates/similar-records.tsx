// Shows probable duplicates below the fields of a new record.
import { Anchor, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { namingAttribute, recordName } from '../../../../contract/record-name.ts'
import { type DuplicateRule, duplicateRulesQuery } from '../../../shared/api/duplicate-rules.ts'
import type { RecordData } from '../../../shared/api/records.ts'
import { recordPaths } from '../../../shared/paths.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { isEmpty } from '../../../shared/values/format.ts'
import { afterPress } from '../../../ui/after-press.ts'
import { similarRecordsQuery } from '../api/duplicates.ts'
import { reasonText } from './reasons.ts'

/** The page of duplicates shows more. */
const SHOWN = 3

interface SimilarProps {
  object: ObjectWithAttributes
  /** The values at the time when a field last lost the focus. */
  data: RecordData
}

/** The values that an active rule compares. */
function comparedOf(rules: readonly DuplicateRule[], data: RecordData): RecordData {
  const slugs = rules.flatMap(({ isActive, attributeSlugs }) => (isActive ? attributeSlugs : []))
  return Object.fromEntries(
    Object.entries(data).filter(([slug, value]) => slugs.includes(slug) && !isEmpty(value)),
  )
}

/** Changes are shown only while no pointer button is down, because they move the buttons below. */
function useSimilar({ object, data }: SimilarProps) {
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

export function SimilarRecords(props: SimilarProps) {
  const { object } = props
  const org = useOrg()
  const similar = useSimilar(props)
  const naming = namingAttribute(object.attributes)
  return (
    <div role="status">
      {similar.length > 0 && (
        <div className="box sunken stack gap-4">
          <Text>This {object.singularName.toLowerCase()} may exist already:</Text>
          {similar.slice(0, SHOWN).map(({ record, reason }) => (
            <Text key={record.id} className="breakable">
              <Anchor
                component={Link}
                to={recordPaths.record(org, object.slug, record.id)}
                underline="always"
              >
                {recordName(naming, record)}
              </Anchor>{' '}
              <span className="muted tiny">{reason}</span>
            </Text>
          ))}
        </div>
      )}
    </div>
  )
}
