// Code or another text for programs, shown unchanged, with a button that copies it.
import { Button, CopyButton, Stack } from '@mantine/core'
import { Check, Copy } from 'lucide-react'

const WRAPPED = { whiteSpace: 'pre-wrap' } as const

interface CodeBoxProps {
  code: string
  /** Names the copied content: "Copy key". */
  label: string
  /** Long lines wrap. */
  wraps?: boolean
}

export function CodeBox({ code, label, wraps = false }: CodeBoxProps) {
  return (
    <Stack className="box sunken" gap={8} p={12} align="flex-start">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre className="tiny mono wide breakable scroll" style={wraps ? WRAPPED : undefined} tabIndex={0}>
        {code}
      </pre>
      <CopyButton value={code} timeout={1500}>
        {({ copied, copy }) => (
          <Button
            variant="default"
            onClick={copy}
            leftSection={copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />}
          >
            {copied ? 'Copied' : label}
          </Button>
        )}
      </CopyButton>
    </Stack>
  )
}
