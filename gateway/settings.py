"""The gateway's settings, on top of those that every process has."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import Field, SecretStr, ValidationInfo, field_validator

from bree.ledger.settings import LedgerSettings
from bree.process.replicas import Addresses, engines_of
from bree.process.store_monitor import StoreSettings
from bree.redis.clients import checked
from bree.redis.primaries import STORE
from gateway.desk.admins import Admins
from gateway.mail_words import mail_address, mail_server
from gateway.public_url import issuer, public_url

DAY_SECONDS = 86_400


class GatewaySettings(StoreSettings, LedgerSettings):
    """Read from variables that begin with BREE_."""

    store_url: str = Field(default="redis://127.0.0.1:6379/0", pattern=f"^{STORE}$")
    copy_seconds: int = Field(
        default=7 * 86_400, ge=60
    )  # that who was here can do without a ledger
    engines: str  # game=address,address;game=address

    # The door: the page and all methods, over HTTP.
    http_listen: str = Field(default="127.0.0.1:0", pattern=r"^$|^\S*:[0-9]{1,5}$")  # empty: none
    most_connections: int = Field(default=256, ge=1)  # of one address that is no proxy
    request_seconds: float = Field(default=20, gt=0, le=600)  # that a request may take to come
    idle_seconds: float = Field(default=75, gt=0, le=3600)  # that a connection is kept without one
    stall_seconds: float = Field(default=60, gt=0, le=3600)  # that a reader may take nothing

    admins: str = ""  # the accounts that may sit at the host's desk

    # What one account may do, on each gateway.
    calls_a_second: float = Field(default=200, gt=0)
    calls_burst: int = Field(default=400, ge=1)
    most_streams: int = Field(default=64, ge=1)

    bots_a_minute: float = Field(default=60, gt=0)  # hosted bots in the matches that it starts
    bots_burst: int = Field(default=120, ge=1)
    notes_a_minute: float = Field(default=30, gt=0)  # that it writes to others
    notes_burst: int = Field(default=30, ge=1)

    # What one account may hold, on all gateways together.
    most_open: int = Field(default=50, ge=1)  # open matches of its making
    most_matches: int = Field(default=1000, ge=1)  # matches it sits in that are not over
    most_alone: int = Field(default=10, ge=1)  # running matches of its making without people
    bot_pairs_a_day: int = Field(default=100, ge=0, le=100)  # matches of a bot with other bots

    # How long matches that are over, or were never begun, stay in the store.
    live_seconds: float = Field(default=3600, ge=0, le=31_536_000)  # those that were closed
    keep_seconds: float = Field(default=0, ge=0)  # that ended matches stay in the ledger
    keep_closed_seconds: float = Field(default=0, ge=0)  # and closed ones; 0: for ever
    told_seconds: float = Field(default=7 * 86_400, ge=0)  # that what was told stays in its outbox
    open_seconds: float = Field(default=7 * 86_400, ge=0)  # joined by nobody; 0: for ever

    # What one address may do without an account.
    address_header: str = Field(default="", pattern="^[a-z0-9-]*$")  # where a proxy writes it
    trusted_hops: int = Field(default=1, ge=1, le=16)  # proxies that add to it, the last ones
    looks_a_second: float = Field(default=20, gt=0)
    looks_burst: int = Field(default=60, ge=1)
    most_visits: int = Field(default=32, ge=1)  # streams of health and reflection
    wrong_tokens_a_minute: float = Field(default=30, gt=0)
    wrong_tokens_burst: int = Field(default=60, ge=1)
    new_accounts_a_minute: float = Field(default=20, gt=0)
    new_accounts_burst: int = Field(default=60, ge=1)

    # How long, how often and how much at most.
    call_seconds: float = Field(default=10, gt=0, le=600)  # for calls that set no deadline
    health_seconds: float = Field(default=1, gt=0, le=60)  # between two looks at an engine
    beat_seconds: float = Field(default=1, gt=0, le=60)  # between an engine's signs of life
    rescan_seconds: float = Field(default=20, gt=0, le=600)  # between two looks at what was missed
    here_seconds: float = Field(default=20, gt=0, le=600)  # that who listened counts as here
    watch_backlog: int = Field(default=64, ge=32)  # steps that a watcher may lag behind
    listen_backlog: int = Field(default=256, ge=1)  # answered questions that a bot may lag behind
    record_bytes: int = Field(default=32 << 20, ge=0)  # of whole records kept in memory
    picture_bytes: int = Field(default=32 << 20, ge=0)  # of pictures kept in memory
    picture_seconds: float = Field(default=20, gt=0, le=600)  # that drawing one may take
    kept_matches: int = Field(default=20_000, ge=1)  # seatings kept in memory

    # Ways in besides tokens and codes.
    public_url: str = ""  # at which people open the page; empty: no passkeys, no provider
    oidc_issuer: str = ""  # the provider by which they log in; empty: none
    oidc_client_id: str = Field(default="", pattern=r"^[\x21-\x7e]{0,255}$", validate_default=True)
    oidc_client_secret: SecretStr = SecretStr("")
    oidc_name: str = Field(default="OpenID", min_length=1, max_length=40)
    mail_url: SecretStr = SecretStr("")  # of the server that sends mail; empty: none is sent
    mail_from: str = Field(default="", validate_default=True)  # the address that it is sent from
    mails_a_minute: float = Field(default=3, gt=0)  # that one address or account may ask for
    mails_burst: int = Field(default=5, ge=1)

    @field_validator("public_url")
    @classmethod
    def _is_an_address(cls, url: str) -> str:
        return url and public_url(url).origin

    @field_validator("oidc_issuer")
    @classmethod
    def _is_an_issuer(cls, url: str, info: ValidationInfo) -> str:
        if url and not info.data.get("public_url", url):
            raise ValueError("who logs in there has to come back to BREE_PUBLIC_URL, so set it")
        return url and issuer(url)

    @field_validator("oidc_client_id")
    @classmethod
    def _is_known_there(cls, client: str, info: ValidationInfo) -> str:
        if bool(client) != bool(info.data.get("oidc_issuer", client)):
            raise ValueError(
                "a client id goes with BREE_OIDC_ISSUER, and neither without the other"
            )
        return client

    @field_validator("mail_url")
    @classmethod
    def _is_a_mail_server(cls, url: SecretStr) -> SecretStr:
        if url.get_secret_value():
            mail_server(url.get_secret_value())
        return url

    @field_validator("mail_from")
    @classmethod
    def _is_an_address_of_mail(cls, sender: str, info: ValidationInfo) -> str:
        if bool(sender) != bool(info.data.get("mail_url", SecretStr(sender)).get_secret_value()):
            raise ValueError("a sender goes with BREE_MAIL_URL, and neither without the other")
        if sender and not info.data.get("public_url", sender):
            raise ValueError("a mail says where its code is to be typed: set BREE_PUBLIC_URL")
        return sender and mail_address(sender)

    @field_validator("store_url")
    @classmethod
    def _names_a_store(cls, url: str) -> str:
        return checked(url)

    @field_validator("keep_seconds", "keep_closed_seconds")
    @classmethod
    def _is_long_enough(cls, seconds: float) -> float:
        if 0 < seconds < DAY_SECONDS:
            raise ValueError("matches are kept for a day at least; 0 keeps them for ever")
        return seconds

    @field_validator("engines")
    @classmethod
    def _engines_are_well_formed(cls, text: str) -> str:
        engines_of(text)
        return text

    @field_validator("admins")
    @classmethod
    def _admins_are_named(cls, text: str) -> str:
        Admins.of(text)
        return text

    @property
    def replicas(self) -> Mapping[str, Addresses]:
        """The addresses of each game's engines."""
        return engines_of(self.engines)
