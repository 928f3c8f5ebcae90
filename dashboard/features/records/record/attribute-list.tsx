// Every attribute of a record with its value, edited in place.
import { Box } from '@mantine/core'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { useState } from 'react'
import { counted } from '../../../../contract/counted.ts'
import { keyAttributes } from '../../../../contract/key-attributes.ts'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { namingAttribute } from '../../../../contract/record-name.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import type { CrmRecord } from '../../../shared/api/records.ts'
import { InlineValue } from '../../../shared/records/inline-value.tsx'
import { isEmpty } from '../../../shared/values/format.ts'
import { TYPES } from '../../../types/types.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Moment } from '../../../ui/time.tsx'
import classes from './attribute-list.module.css'

interface AttributeListProps {
  object: ObjectWithAttributes
  record: CrmRecord
  readOnly?: boolean
  /** Leaves out the attribute that names the record: where the name is the title. */
  withoutName?: boolean
}

const copied = ({ type }: Attribute, value: unknown): string | undefined =>
  TYPES[type].hasCopyButton && typeof value === 'string' ? value : undefined

function Row({ attribute, object, record, readOnly = false }: AttributeListProps & { attribute: Attribute }) {
  const Icon = TYPES[attribute.type].icon
  const text = copied(attribute, record.data[attribute.slug])
  return (
    <div className={classes.row}>
      <Box component="dt" className="row shrink gap-6 muted" mih={28}>
        <Icon size={14} aria-hidden />
        <span className="breakable">{attribute.name}</span>
      </Box>
      <dd className={classes.value}>
        <div className="fill">
          <InlineValue object={object.slug} attribute={attribute} record={record} isReadOnly={readOnly} />
        </div>
        {text && (
          <span className={`revealed ${classes.copy}`}>
            <CopyButton value={text} label={`Copy ${attribute.name.toLowerCase()}`} />
          </span>
        )}
      </dd>
    </div>
  )
}

/**
 * The key attributes, those with a value, and those that had one when the record was opened: nothing goes while it is
 * edited.
 */
function useShown({ object, record, withoutName }: AttributeListProps) {
  const name = withoutName ? namingAttribute(object.attributes) : undefined
  const all = object.attributes.filter(({ id }) => id !== name?.id)
  const isFilled = ({ slug }: Attribute) => !isEmpty(record.data[slug])
  const [seen] = useState(() => new Set(all.filter(isFilled).map(({ id }) => id)))
  // Of a record that is to be filled in, everything is there to be filled in.
  const [isUnfolded, setUnfolded] = useState(seen.size === 0)
  const key = new Set(keyAttributes(all))
  const filled = all.filter(
    (attribute) => isFilled(attribute) || seen.has(attribute.id) || key.has(attribute),
  )
  const isFoldable = filled.length > 0 && filled.length < all.length
  const shown = isFoldable && !isUnfolded ? filled : all
  return { shown, hidden: isFoldable ? all.length - filled.length : 0, isUnfolded, setUnfolded }
}

function Moments({ record }: { record: CrmRecord }) {
  return (
    <dl className={classes.moments}>
      <div className={classes.row}>
        <dt>Created</dt>
        <dd>
          <Moment value={record.createdAt} />
        </dd>
      </div>
      <div className={classes.row}>
        <dt>Updated</dt>
        <dd>
          <Moment value={record.updatedAt} />
        </dd>
      </div>
    </dl>
  )
}

/** @see AttributeListProps; give it the record's id as its key */
export function AttributeList(props: AttributeListProps) {
  const { shown, hidden, isUnfolded, setUnfolded } = useShown(props)
  const Chevron = isUnfolded ? ChevronUp : ChevronDown
  return (
    <div>
      <dl className="stack gap-2 small">
        {shown.map((attribute) => (
          <Row key={attribute.id} {...props} attribute={attribute} />
        ))}
      </dl>
      {hidden > 0 && (
        <button
          type="button"
          className={classes.more}
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          <Chevron size={14} aria-hidden />
          {isUnfolded ? 'Hide empty attributes' : `Show ${counted(hidden, 'empty attribute')}`}
        </button>
      )}
      <Moments record={props.record} />
    </div>
  )
}
