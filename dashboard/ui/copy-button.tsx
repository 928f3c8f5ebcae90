import { ActionIcon, CopyButton as MantineCopyButton, Tooltip } from '@mantine/core'
import { Check, Copy } from 'lucide-react'

/** @param label names the copied content: "Copy email address" */
export function CopyButton({ value, label }: { value: string; label: string }) {
  return (
    <MantineCopyButton value={value} timeout={1500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : label}>
          <ActionIcon size="sm" onClick={copy} aria-label={copied ? 'Copied' : label}>
            {copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </MantineCopyButton>
  )
}
