// The TLS credentials of a bot, from the files in BOURRE_CA, BOURRE_CERT and BOURRE_KEY.

import { readFileSync } from "node:fs";
import grpc from "@grpc/grpc-js";

/** Returns credentials without TLS if BOURRE_CA is not set. `system` means the authorities of Node.js. Throws with a hint. */
export function credentialsFrom({ BOURRE_CA: ca, BOURRE_CERT: cert, BOURRE_KEY: key }) {
  if (!cert !== !key) throw new Error("BOURRE_CERT and BOURRE_KEY need each other.\nhint: set both, or neither");
  if (!ca && cert) throw new Error("BOURRE_CERT needs BOURRE_CA too.\nhint: set BOURRE_CA to a PEM file, or to system");
  if (!ca) return grpc.credentials.createInsecure();
  const trusted = ca === "system" ? null : read("BOURRE_CA", ca);
  return grpc.credentials.createSsl(trusted, key ? read("BOURRE_KEY", key) : null, cert ? read("BOURRE_CERT", cert) : null);
}

function read(name, path) {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Error(`Cannot read ${name}=${path}: ${error.code}.\nhint: set it to a PEM file`);
  }
}
