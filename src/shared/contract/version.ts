/**
 * The protocol number and its history. A changed contract fingerprint without a new line here fails a test.
 *
 * 1: sessions, turns, approvals, configuration, providers, screen state, health.
 */
export const PROTOCOL = 1
