// Under the table: how many there are, exactly, and the sums that were asked for.
import { ActionIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { formatMoney, formatNumber } from '../../../shared/values/format.ts'
import { groupSumsQuery } from '../api/record-sets.ts'
import { counted } from './counted.ts'
import classes from './records.module.css'
import { groupedBy, totals } from './sums.ts'
import type { Rows } from './use-rows.ts'

interface FooterProps {
  object: ObjectWithAttributes
  rows: Rows
  /** The attribute whose sum is shown. */
  summed: Attribute | undefined
  onRemove(): void
}

const totalText = ({ currency, sum }: { currency: string | null; sum: string }) =>
  currency === null ? formatNumber(sum) : formatMoney({ amount: sum, currency })

function Sum({ object, rows, summed, onRemove }: FooterProps & { summed: Attribute }) {
  const by = groupedBy(object.attributes)?.slug ?? ''
  const { filter } = rows.shown
  const body = { by, sumOf: summed.slug, ...(filter && { filter }) }
  const { data, isError } = useQuery(groupSumsQuery(useOrg(), object.slug, body))
  const sums = data?.isComplete ? totals(data.groups).map(totalText).join(' + ') || '0' : undefined
  const isUnknown = isError || data?.isComplete === false
  return (
    <span className="inline gap-4" role="status">
      Sum of {summed.name}:{' '}
      <strong className="medium plain">{isUnknown ? 'could not be calculated' : (sums ?? '…')}</strong>
      <ActionIcon size={24} aria-label={`Remove the sum of ${summed.name}`} onClick={onRemove}>
        <X size={12} aria-hidden />
      </ActionIcon>
    </span>
  )
}

export function Footer(props: FooterProps) {
  const { object, rows, summed } = props
  const { total } = rows
  return (
    <footer className={classes.footer}>
      {total !== undefined && <span>{counted(object, total)}</span>}
      {summed && <Sum {...props} summed={summed} />}
      {rows.error !== undefined && total !== undefined && !rows.isStale && (
        <span role="alert">Some rows could not be loaded: scroll to try again</span>
      )}
    </footer>
  )
}
